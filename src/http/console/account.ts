import type { XStatic } from 'typebox/schema';

import { run } from '../../operation.ts';
import { requireProject } from '../../projects/project.ts';
import { registerPasskey } from '../../sign-in/passkeys.ts';
import { endSession } from '../../sign-in/sessions.ts';
import { invalid, type JsonSchema } from '../../validation.ts';
import { object } from '../../values/object-schema.ts';
import type { Exchange } from '../exchange.ts';
import type { Endpoint } from '../router.ts';
import { clearSession } from './cookie.ts';
import type { ConsoleGate, SignedInMember, Wanted } from './gate.ts';
import { credentialSchema, readInput, lineSchema, noInput } from './input.ts';
import { base } from './routes.ts';
import type { SignInParts } from './sign-in.ts';

const newPasskey = object({ credential: credentialSchema }, { optional: { name: lineSchema } });

const adding: Wanted = { wantsFresh: () => true, addsPasskey: true };

export function accountPages({ store, passkeys, programVersion }: SignInParts, gate: ConsoleGate): Endpoint[] {
  const post = <const In extends JsonSchema>(
    path: string,
    schema: In,
    wanted: Wanted,
    serve: (exchange: Exchange, member: SignedInMember, input: XStatic<In>) => Promise<void>,
  ): Endpoint => ({
    path: `${base}${path}`,
    method: 'POST',
    serve: async (exchange) => {
      await gate.admit(exchange, wanted);
      const input = await readInput(exchange, schema);
      await serve(exchange, await gate.confirm(exchange, wanted), input);
    },
  });
  return [
    {
      path: `${base}/health`,
      serve: async (exchange) => {
        await gate.admit(exchange, {});
        await store.ready();
        exchange.sendData(200, { ready: true, version: programVersion });
      },
    },
    post('/sign-out', noInput, {}, async (exchange, member) => {
      await run(endSession, store, member, {}, exchange);
      exchange.sendData(200, undefined, clearSession(exchange));
    }),
    post('/passkeys/options', noInput, adding, async (exchange, member) => {
      const { name } = await requireProject(store.projects, member.projectId);
      exchange.sendData(200, { publicKey: await passkeys.creationOptions(exchange.publicUrl, member, name) });
    }),
    post('/passkeys', newPasskey, adding, async (exchange, member, { credential, name = 'Passkey' }) => {
      const passkey = await passkeys.verifyNew(exchange.publicUrl, member, { credential, name });
      if (!passkey) throw invalid([{ field: 'credential', code: 'format', message: 'is not a passkey for this page' }]);
      const isFirst = member.hasPasskey !== true;
      exchange.sendData(201, (await run(registerPasskey, store, member, { passkey, isFirst }, exchange)).output);
    }),
  ];
}
