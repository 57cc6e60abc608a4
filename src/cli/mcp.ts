import { randomUUID } from 'node:crypto';

import type { Actor } from '../actor.ts';
import { touchDueAt } from '../api-keys/api-key.ts';
import { authenticate } from '../api-keys/authenticate.ts';
import { holdProgram } from '../assets.ts';
import { readConfig } from '../config/read-config.ts';
import { AppError } from '../errors.ts';
import { type Caller, run } from '../operation.ts';
import type { Store } from '../store.ts';
import { formatTimestamp } from '../values/timestamp.ts';
import { programVersion } from '../version.ts';
import { UsageError } from './failures.ts';
import { readToken } from './keys/look-up.ts';
import { naming, openCurrentStore } from './open.ts';
import { note } from './output.ts';
import { command, required } from './parts.ts';
import { stopSignal } from './signals.ts';

export const mcpCommand = command<{ keyFile: string }>('mcp', {
  says: 'serve MCP tools to an assistant on stdin and stdout, with the rights of an API key',
  examples: [
    'roster mcp --key-file key.txt',
    'DATABASE_URL=sqlite:/var/lib/roster/roster.db roster mcp --key-file key.txt',
  ],
  more: 'The assistant starts this command, and ends it by closing stdin. The command\nopens the database itself; a running service serves the same tools at /mcp.',
  settings: ['databaseUrl', 'rateLimit', 'binDays'],
  exits: { failed: 'failed, or the key is unknown, revoked or expired' },
  options: [required('--key-file <file>', 'the file with the API key')],
  json: false,
  act: async ({ keyFile }) => {
    if (keyFile === '-') {
      throw new UsageError('The key cannot come from stdin, which carries the protocol; write: --key-file FILE.');
    }
    await serveKey(await readToken(keyFile, '--key-file'));
  },
});

async function serveKey(token: string): Promise<void> {
  holdProgram();
  const { databaseUrl, binDays, rateLimit: perMinute } = readConfig(process.env);
  await naming(databaseUrl, async () => {
    await using store = await openCurrentStore(databaseUrl, { create: false, serving: true, binDays });
    if (typeof (await authenticate(store.apiKeys, token)) === 'string') throw new AppError('not_found', noKey);
    const admit = await createAdmission(store, token, perMinute);
    const { serveOverStdio } = await import('../mcp/stdio.ts');
    const end = new AbortController();
    void stopSignal().then(() => end.abort());
    const { stdin, stdout } = process;
    await serveOverStdio(programVersion, admit, { stdin, stdout, onUnreadable }, end.signal);
  });
}

const onUnreadable = () => note('A message could not be read or answered; check that the client speaks MCP on stdin.');
const unforeseen = 'A call failed for an unexpected reason; if it fails again, report it.';
const noKey =
  'The key is unknown, revoked or expired; "roster keys find - < FILE" says which, and DATABASE_URL must be that of the service';

/** Admits one call: the key may have ended since the last one, or be over its rate limit. */
async function createAdmission(store: Store, token: string, perMinute: number): Promise<() => Promise<Caller>> {
  const [{ CallRefusal }, { rateLimit }] = await Promise.all([
    import('../mcp/errors.ts'),
    import('../http/rate-limit.ts'),
  ]);
  // This process serves one key, so the project's limit would add nothing.
  const limit = rateLimit({ perMinute, ofProject: 0 });
  return async () => {
    const key = await authenticate(store.apiKeys, token);
    if (typeof key === 'string') {
      throw new CallRefusal(
        'unauthenticated',
        'The API key is unknown, revoked or expired',
        'Ask the operator of Roster for another key.',
      );
    }
    const { id, project_id: projectId, scopes } = key;
    const actor: Actor = { type: 'key', id, projectId, scopes, requestId: randomUUID(), key };
    const { isAllowed, retryAfterSeconds } = await limit(actor);
    if (!isAllowed) {
      throw new CallRefusal('rate_limited', 'Too many requests', `Wait ${retryAfterSeconds} seconds, and call again.`);
    }
    const now = new Date();
    if (now.getTime() >= touchDueAt(key)) {
      // A use that cannot be noted does not fail the call.
      await store.touchApiKeys([{ projectId, keyId: id }], formatTimestamp(now)).catch(() => undefined);
    }
    return { scopes, run: (operation, input, options) => reported(run(operation, store, actor, input, options)) };
  };
}

/** Tells the operator the cause; the model gets only part of it. */
async function reported<Output>(work: Promise<Output>): Promise<Output> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof AppError)) note(unforeseen);
    else if (error.code === 'unavailable' || error.code === 'outcome_unknown') note(error.message);
    throw error;
  }
}
