import type { RegistrationResponseJSON } from '@simplewebauthn/server';

import { run } from '../../operation.ts';
import { requireProject } from '../../projects/project.ts';
import { registerPasskey } from '../../sign-in/passkeys.ts';
import { endSession } from '../../sign-in/sessions.ts';
import { invalid } from '../../validation.ts';
import { object } from '../../values/object-schema.ts';
import { bodyOf, type Exchange, successText } from '../exchange.ts';
import { type HeaderList, jsonType } from '../headers.ts';
import type { Page } from '../router.ts';
import { route } from '../routes.ts';
import { clearSession } from './cookie.ts';
import { actorOf, type ConsoleGate, type ConsoleRoute } from './gate.ts';
import { credentialSchema, inputOf, lineSchema, noInput } from './input.ts';
import { base } from './routes.ts';
import type { SignInParts } from './sign-in.ts';

const newPasskeyInput = object({ credential: credentialSchema }, { optional: { name: lineSchema } });

// The gate asks a route for what it wants; these have no path of their own in the list.
const plain: ConsoleRoute = route('POST', base, endSession);
const adding: ConsoleRoute = { ...plain, wantsFresh: () => true, addsPasskey: true };

/** How members manage their sign-in, beyond single operations. */
export function accountPages({ store, sender, passkeys, programVersion }: SignInParts, gate: ConsoleGate): Page[] {
  const answer = (exchange: Exchange, status: number, data: unknown, headers: HeaderList = []) =>
    sender.send(exchange, status, [...jsonType, ...headers], bodyOf(successText(data)));
  return [
    {
      path: `${base}/health`,
      serve: async (exchange) => {
        await gate.admit(exchange, plain);
        await store.ready();
        answer(exchange, 200, { ready: true, version: programVersion });
      },
    },
    {
      path: `${base}/sign-out`,
      method: 'POST',
      serve: async (exchange) => {
        await gate.admit(exchange, plain);
        await inputOf(exchange, noInput);
        const member = await gate.confirm(exchange, plain);
        await run(endSession, store, actorOf(member, exchange.id), {}, exchange);
        answer(exchange, 200, undefined, clearSession(exchange));
      },
    },
    {
      path: `${base}/passkeys/options`,
      method: 'POST',
      serve: async (exchange) => {
        await gate.admit(exchange, adding);
        await inputOf(exchange, noInput);
        const member = await gate.confirm(exchange, adding);
        const { name } = await requireProject(store.projects, member.project_id);
        answer(exchange, 200, { publicKey: await passkeys.creationOptions(exchange.publicUrl, member, name) });
      },
    },
    {
      path: `${base}/passkeys`,
      method: 'POST',
      serve: async (exchange) => {
        await gate.admit(exchange, adding);
        const { credential, name = 'Passkey' } = await inputOf<{ credential: RegistrationResponseJSON; name?: string }>(
          exchange,
          newPasskeyInput,
        );
        const member = await gate.confirm(exchange, adding);
        const passkey = await passkeys.verifyNew(exchange.publicUrl, member, { credential, name });
        if (!passkey)
          throw invalid([{ field: 'credential', code: 'format', message: 'is not a passkey for this page' }]);
        const { output } = await run(
          registerPasskey,
          store,
          actorOf(member, exchange.id),
          { passkey, isFirst: member.hasPasskey !== true },
          exchange,
        );
        answer(exchange, 201, output);
      },
    },
  ];
}
