import { freePort } from '../../test/support/free-port.ts';
import type { Guarantee } from '../guarantee.ts';
import { createKey, type Installation } from '../installation.ts';
import { fullSeconds, type Own, overloadWith } from '../load/flood.ts';
import { getRequest, load, type Report, type Request } from '../load/load.ts';

/** Five times what it can answer, asked by many connections of one key that never wait, beside callers who do. */
export const overload: Guarantee = {
  name: 'overload',
  sizes: { smoke: 0, core: 4, full: fullSeconds },
  engines: ['SQLite', 'PostgreSQL'],
  prove: overloadWith({ requestsOf: ({ paths, token }) => paths.map((path) => getRequest(path, token)) }),
};

/** As in `overload`, with a creation after every three reads; then what was answered with 201 is looked for. */
export const overloadWithWrites: Guarantee = {
  name: 'overload with writes',
  sizes: { smoke: 0, core: 1, full: fullSeconds },
  engines: ['SQLite', 'PostgreSQL'],
  prove: overloadWith({ requestsOf, objections }),
};

const readsForACreation = 3;
const path = '/v2/chatbots/shop/contacts';

async function requestsOf({ paths, token, installation }: Own): Promise<Request[]> {
  const creation = createRequest(await createKey(installation, 'writer', ['contacts:read', 'contacts:write']));
  return paths.flatMap((one, index) => [
    getRequest(one, token),
    ...(index % readsForACreation === 0 ? [creation] : []),
  ]);
}

function createRequest(token: string): Request {
  const body = JSON.stringify({ properties: { first_name: 'Made', last_name: 'Up', city: 'Lisbon' } });
  const lines = [`POST ${path} HTTP/1.1`, 'Host: roster.test', `Authorization: Bearer ${token}`];
  lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`, '', body);
  return { text: lines.join('\r\n'), status: 201 };
}

async function objections(at: Own, loads: readonly Report[]): Promise<string[]> {
  const limited = await overLimit(at);
  const stored = await storedIds(at.installation);
  const created = [...loads.flatMap((one) => one.created), ...limited.created];
  const lost = created.filter((id) => !stored.has(id));
  // Nobody was told what became of these.
  const untold = loads.reduce((sum, one) => sum + one.untold, 0);
  const unclaimed = stored.size - new Set(created).size;
  return [
    ...(created.length < 100 ? [`only ${created.length} were created`] : []),
    ...(lost.length > 0 ? [`${lost.length} that were answered with 201 are lost, such as ${lost[0]}`] : []),
    ...(unclaimed > untold ? [`${unclaimed} are stored without a 201, and ${untold} creations were not answered`] : []),
    ...limited.failures,
  ];
}

const perMinute = 100;
const asked = 400;

/** A process with a limit: the first hundred are created, and 429 stores nothing. */
async function overLimit({ installation }: Own): Promise<{ created: string[]; failures: string[] }> {
  const token = await createKey(installation, 'limited', ['contacts:write']);
  const port = await freePort();
  const served = await installation.serve({ PORT: String(port), ROSTER_RATE_LIMIT: String(perMinute) });
  const requests = [createRequest(token)];
  const { created, wrong, examples } = await load({ port, requests, connections: 20, total: asked });
  served.child.kill('SIGTERM');
  await served.ended;
  return {
    created,
    failures: [
      ...(created.length === perMinute ? [] : [`${created.length} were created with a limit of ${perMinute}`]),
      ...(wrong > 0 ? [] : ['nothing was refused for its number']),
      ...examples.filter((text) => !isRefusal(text)),
    ],
  };
}

function isRefusal(answer: string): boolean {
  return (
    answer.includes('-> "HTTP/1.1 429 ') &&
    answer.includes('rate_limited') &&
    /retry-after: \d+/.test(answer) &&
    answer.includes('x-ratelimit-remaining: 0')
  );
}

/** Of all who were made over HTTP. */
async function storedIds(at: Installation): Promise<Set<string>> {
  const args = ['contacts', 'export', '--format', 'ndjson', '--project', 'acme', '--chatbot', 'shop'];
  const { stdout } = await at.run(args);
  const people = stdout.split('\n').filter((line) => line.includes('"Made Up"'));
  return new Set(people.map((line) => (JSON.parse(line) as { id: string }).id));
}
