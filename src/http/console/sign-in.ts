import type { AuthenticationResponseJSON } from '@simplewebauthn/server';

import { type Actor, invited, operator } from '../../actor.ts';
import { AppError } from '../../errors.ts';
import { run, type WriteOperation } from '../../operation.ts';
import { rightsOf } from '../../sign-in/session.ts';
import { endSession, renewSession, retrieveSession } from '../../sign-in/sessions.ts';
import { joinProject, setUpProject, type SignedIn, signInByLink, signInByPasskey } from '../../sign-in/sign-in.ts';
import { object } from '../../values/object-schema.ts';
import { hashSecret } from '../../values/secret.ts';
import { HttpError } from '../errors.ts';
import { bodyOf, type Exchange, type Sender, successText } from '../exchange.ts';
import { type HeaderList, jsonType } from '../headers.ts';
import type { Page } from '../router.ts';
import { setSession } from './cookie.ts';
import { actorOf, findMember, type GateParts, type SignedInMember } from './gate.ts';
import { credentialSchema, inputOf, lineSchema, noInput } from './input.ts';
import { type Passkeys, passkeyObstacle } from './passkeys.ts';
import { base } from './routes.ts';
import { requireSameOrigin } from './same-origin.ts';

const tokenInput = object({ token: lineSchema });
const setupInput = object({ token: lineSchema }, { optional: { email: lineSchema, project_name: lineSchema } });
const credentialInput = object({ credential: credentialSchema });

export interface SignInParts extends GateParts {
  sender: Sender;
  passkeys: Passkeys;
  programVersion: string | undefined;
}

/** Runs the operation that begins a session, and answers with it. Every refusal is alike, and counted as that of a key. */
function createEntrance(parts: SignInParts) {
  const { store, sender, addressOf, limit } = parts;
  const answer = (exchange: Exchange, data: unknown, headers: HeaderList = []) =>
    sender.send(exchange, 200, [...jsonType, ...headers], bodyOf(successText(data)));
  const describe = async (exchange: Exchange, member: SignedInMember): Promise<unknown> =>
    (await run(retrieveSession, store, actorOf(member, exchange.id), undefined)).output;
  const refuse = async (exchange: Exchange): Promise<never> => {
    const address = addressOf(exchange);
    if (address !== undefined) await limit.countRefusal(address);
    throw new HttpError('not_found');
  };
  return {
    answer,
    describe,
    refuse,
    /** `actor` is missing where the link or passkey names nobody. */
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
      const signedIn = (await ran?.catch(unlessMissing))?.output;
      if (!signedIn) return refuse(exchange);
      const { session, member, token } = signedIn;
      // The earlier session of this browser ends, so that nobody else goes on with it.
      const before = await findMember(parts, exchange);
      if (before) await run(endSession, store, actorOf(before, exchange.id), {}).catch(unlessMissing);
      const own = { id: member.id, project_id: session.project_id, scopes: rightsOf(member), session, member };
      answer(exchange, await describe(exchange, own), setSession(exchange, token));
    },
  };
}

/** How somebody gets in: by a link, an invitation or a passkey. */
export function signInPages(parts: SignInParts): Page[] {
  const { store, passkeys, isOwn } = parts;
  const { answer, describe, enter, refuse } = createEntrance(parts);
  const post = (path: string, serve: (exchange: Exchange) => Promise<void>): Page => ({
    path: `${base}${path}`,
    method: 'POST',
    serve: async (exchange) => {
      requireSameOrigin(exchange, isOwn);
      await serve(exchange);
    },
  });

  return [
    {
      path: `${base}/sign-in/state`,
      serve: async (exchange) => {
        requireSameOrigin(exchange, isOwn);
        const why = passkeyObstacle(exchange);
        answer(exchange, {
          passkeys: why === undefined,
          ...(why !== undefined && { why }),
          public_url: exchange.publicUrl,
        });
      },
    },
    post('/sign-in/link', async (exchange) => {
      const { token } = await inputOf<{ token: string }>(exchange, tokenInput);
      const link = await store.signIn.findLink(hashSecret(token));
      const actor = link?.member_id == null ? undefined : invited(link.member_id, link.project_id, exchange.id);
      await enter(exchange, signInByLink, actor, { token });
    }),
    post('/setup', async (exchange) => {
      const input = await inputOf<{ token: string; email?: string }>(exchange, setupInput);
      const link = await store.signIn.findLink(hashSecret(input.token));
      if (link?.member_id == null) {
        // The link was made by the operator, for whoever opens it.
        const actor = link && { ...operator(link.project_id), requestId: exchange.id };
        return enter(exchange, setUpProject, actor, input);
      }
      await enter(exchange, signInByLink, invited(link.member_id, link.project_id, exchange.id), input);
    }),
    post('/join', async (exchange) => {
      const { token } = await inputOf<{ token: string }>(exchange, tokenInput);
      const invitation = await store.members.findInvitation(hashSecret(token));
      const actor = invitation && invited(invitation.member_id, invitation.project_id, exchange.id);
      await enter(exchange, joinProject, actor, { token });
    }),
    post('/sign-in/passkey/options', async (exchange) => {
      await inputOf(exchange, noInput);
      answer(exchange, { publicKey: await passkeys.requestOptions(exchange.publicUrl) });
    }),
    post('/sign-in/passkey', async (exchange) => {
      const { credential } = await inputOf<{ credential: AuthenticationResponseJSON }>(exchange, credentialInput);
      const passkey = await passkeys.verify(exchange.publicUrl, credential);
      if (!passkey) return refuse(exchange);
      const before = await findMember(parts, exchange);
      if (before?.member.id === passkey.member_id) {
        exchange.isWriting = true;
        const ran = await run(renewSession, store, actorOf(before, exchange.id), { passkey }).catch(unlessMissing);
        return ran ? answer(exchange, await describe(exchange, { ...before, session: ran.output })) : refuse(exchange);
      }
      const actor = invited(passkey.member_id, passkey.project_id, exchange.id);
      await enter(exchange, signInByPasskey, actor, { passkey });
    }),
  ];
}

/** Used, replaced or withdrawn at this moment: no different from one that nobody has. */
function unlessMissing(error: unknown): undefined {
  if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
}
