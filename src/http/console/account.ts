import { run } from '../../operation.ts';
import { requireProject } from '../../projects/require.ts';
import { registerPasskey } from '../../sign-in/passkeys.ts';
import { endSession } from '../../sign-in/sessions.ts';
import { invalid } from '../../validation.ts';
import { object } from '../../values/object-schema.ts';
import type { Exchange } from '../exchange.ts';
import type { Endpoint } from '../router.ts';
import { sessionCookie } from './cookie.ts';
import type { ConsoleGate, ConsoleParts, Wanted } from './gate.ts';
import { credentialSchema, lineSchema, noInput, post } from './input.ts';
import { base } from './routes.ts';

const newPasskey = object({ credential: credentialSchema }, { optional: { name: lineSchema } });

const adding: Wanted = { wantsFresh: () => true, addsPasskey: true };

export function accountPages({ store, passkeys, programVersion }: ConsoleParts, gate: ConsoleGate): Endpoint[] {
  const admit = (exchange: Exchange) => gate.admit(exchange, {});
  const admitAdding = (exchange: Exchange) => gate.admit(exchange, adding);
  return [
    {
      path: `${base}/health`,
      serve: async (exchange) => {
        await admit(exchange);
        await store.ready();
        exchange.sendData(200, { ready: true, version: programVersion });
      },
    },
    post('/sign-out', noInput, admit, async (exchange) => {
      await run(endSession, store, await gate.confirm(exchange, {}), {}, exchange);
      exchange.sendData(200, undefined, sessionCookie(exchange));
    }),
    post('/passkeys/options', noInput, admitAdding, async (exchange) => {
      const member = await gate.confirm(exchange, adding);
      const { name } = await requireProject(store.projects, member.projectId);
      exchange.sendData(200, { publicKey: await passkeys.creationOptions(exchange.publicUrl, member, name) });
    }),
    post('/passkeys', newPasskey, admitAdding, async (exchange, { credential, name = 'Passkey' }) => {
      const member = await gate.confirm(exchange, adding);
      const passkey = await passkeys.verifyNew(exchange.publicUrl, member, { credential, name });
      if (!passkey) throw invalid([{ field: 'credential', code: 'format', message: 'is not a passkey for this page' }]);
      const isFirst = member.hasPasskey !== true;
      exchange.sendData(201, (await run(registerPasskey, store, member, { passkey, isFirst }, exchange)).output);
    }),
  ];
}
