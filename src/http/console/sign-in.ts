import { type Actor, invited, operator } from '../../actor.ts';
import { run, type WriteOperation } from '../../operation.ts';
import { endSession, renewSession, retrieveSession } from '../../sign-in/sessions.ts';
import { joinProject, setUpProject, type SignedIn, signInByLink, signInByPasskey } from '../../sign-in/sign-in.ts';
import { object } from '../../values/object-schema.ts';
import { hashSecret } from '../../values/secret.ts';
import { HttpError } from '../errors.ts';
import type { Exchange } from '../exchange.ts';
import { requireSameOrigin } from '../origins.ts';
import { unlessMissing } from '../pipeline.ts';
import type { Endpoint } from '../router.ts';
import { sessionCookie } from './cookie.ts';
import { type ConsoleParts, findMember, signedIn, type SignedInMember } from './gate.ts';
import { credentialSchema, lineSchema, noInput, post } from './input.ts';
import { passkeyObstacle } from './passkeys.ts';
import { base } from './routes.ts';

const tokenInput = object({ token: lineSchema });
const setupInput = object({ token: lineSchema }, { optional: { email: lineSchema, project_name: lineSchema } });
const credentialInput = object({ credential: credentialSchema });

/** Runs the operation that begins a session. Every refusal is alike, and counted as that of a key. */
function createEntrance(parts: ConsoleParts) {
  const { store, countRefusal } = parts;
  const describe = async (member: SignedInMember): Promise<unknown> =>
    (await run(retrieveSession, store, member, undefined)).output;
  const refuse = async (exchange: Exchange): Promise<never> => {
    await countRefusal(exchange);
    throw new HttpError('not_found');
  };
  return {
    describe,
    refuse,
    enter: async <Input extends object>(
      exchange: Exchange,
      operation: WriteOperation<Input & { userAgent: string | undefined }, SignedIn>,
      actor: Actor | undefined,
      input: Input,
    ): Promise<void> => {
      exchange.throwIfGivenUp();
      exchange.isWriting = true;
      const userAgent = exchange.arrival.request.headers['user-agent'];
      const ran = actor && run(operation, store, actor, { ...input, userAgent }, exchange);
      const begun = (await ran?.catch(unlessMissing))?.output;
      if (!begun) return refuse(exchange);
      const { session, member, token } = begun;
      // The earlier session of this browser ends, so that nobody else goes on with it.
      const before = await findMember(parts, exchange);
      if (before) await run(endSession, store, before, {}).catch(unlessMissing);
      const described = await describe(signedIn(session, member, exchange.id));
      exchange.sendData(200, described, sessionCookie(exchange, token));
    },
  };
}

export function signInPages(parts: ConsoleParts): Endpoint[] {
  const { store, isOwn } = parts;
  const entrance = createEntrance(parts);
  const { enter, refuse } = entrance;
  const admit = (exchange: Exchange) => requireSameOrigin(exchange, isOwn);
  let isSetUp = false;
  return [
    {
      path: `${base}/sign-in/state`,
      serve: async (exchange) => {
        admit(exchange);
        const why = passkeyObstacle(exchange);
        const { publicUrl } = exchange;
        isSetUp ||= (await store.projects.list()).length > 0;
        const state = { passkeys: why === undefined, ...(why && { why }), public_url: publicUrl };
        exchange.sendData(200, { ...state, is_set_up: isSetUp });
      },
    },
    post('/sign-in/link', tokenInput, admit, async (exchange, { token }) => {
      const link = await store.signIn.findLink(hashSecret(token));
      const actor = link?.member_id == null ? undefined : invited(link.member_id, link.project_id, exchange.id);
      await enter(exchange, signInByLink, actor, { token });
    }),
    // Only asks: programs that look at links in messages use nothing up.
    post('/setup/asks', tokenInput, admit, async (exchange, { token }) => {
      const link = await store.signIn.findLink(hashSecret(token));
      if (!link) return refuse(exchange);
      const isNew = (await store.projects.find(link.project_id)) === undefined;
      const asks = link.member_id === null ? [...(isNew ? ['project_name'] : []), 'email'] : [];
      exchange.sendData(200, { asks });
    }),
    post('/setup', setupInput, admit, async (exchange, input) => {
      const link = await store.signIn.findLink(hashSecret(input.token));
      if (link?.member_id == null) {
        // The link was made by the operator, for whoever opens it.
        const actor = link && { ...operator(link.project_id), requestId: exchange.id };
        return enter(exchange, setUpProject, actor, input);
      }
      await enter(exchange, signInByLink, invited(link.member_id, link.project_id, exchange.id), input);
    }),
    post('/join', tokenInput, admit, async (exchange, { token }) => {
      const invitation = await store.members.findInvitation(hashSecret(token));
      const actor = invitation && invited(invitation.member_id, invitation.project_id, exchange.id);
      await enter(exchange, joinProject, actor, { token });
    }),
    ...passkeyPages(parts, entrance, admit),
  ];
}

function passkeyPages(
  parts: ConsoleParts,
  { describe, enter, refuse }: ReturnType<typeof createEntrance>,
  admit: (exchange: Exchange) => void,
): Endpoint[] {
  const { store, passkeys } = parts;
  return [
    post('/sign-in/passkey/options', noInput, admit, async (exchange) => {
      exchange.sendData(200, { publicKey: await passkeys.requestOptions(exchange.publicUrl) });
    }),
    post('/sign-in/passkey', credentialInput, admit, async (exchange, { credential }) => {
      const passkey = await passkeys.verify(exchange.publicUrl, credential);
      if (!passkey) return refuse(exchange);
      const before = await findMember(parts, exchange);
      if (before?.member.id !== passkey.member_id) {
        const actor = invited(passkey.member_id, passkey.project_id, exchange.id);
        return enter(exchange, signInByPasskey, actor, { passkey });
      }
      exchange.isWriting = true;
      const ran = await run(renewSession, store, before, { passkey }).catch(unlessMissing);
      if (!ran) return refuse(exchange);
      exchange.sendData(200, await describe({ ...before, session: ran.output }));
    }),
  ];
}
