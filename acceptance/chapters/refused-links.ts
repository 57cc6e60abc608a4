import { seededRandom } from '../../test/support/random.ts';
import type { Guarantee, Trial } from '../guarantee.ts';
import type { Installation } from '../installation.ts';
import { type Kind, proveAlike } from '../parts/alike.ts';
import { type Api, openApi } from '../parts/api.ts';
import { atOnce } from '../parts/at-once.ts';
import { getBy } from '../parts/caller.ts';
import { randomSecret, secretLength } from '../parts/tokens.ts';
import { aTenant } from '../writes/tenant.ts';

/**
 * A link that nobody was ever sent, and one that was used, replaced or withdrawn, has expired or was for a project that is
 * gone: all are refused alike, to the byte and in the same time.
 */
export const refusedLinks: Guarantee = {
  name: 'refused links alike',
  sizes: { smoke: 0, core: 1_000, full: 20_000 },
  engines: ['SQLite', 'PostgreSQL'],
  prove,
};

/** Equally many of each, so that nothing but their kind tells them apart. */
const linksOfKind = 8;
/** As many others as a service may have: with few, most unknown links have no neighbour in the index. */
const waiting = 100;
const accept = '/v2/invitations/accept';

async function prove({ install, size, seed }: Trial) {
  const random = seededRandom(seed);
  const at = await install();
  const { token } = await aTenant(at, 'acme');
  const { port } = await at.serve({ ROSTER_RATE_LIMIT: '0' });
  using api = await openApi(port, token);
  const links = await issue(at, api);
  const goneLinks = await linksOfAGoneProject(at, port);
  const unknown = kindBy(
    'unknown',
    Array.from({ length: linksOfKind }, () => randomSecret(random, secretLength)),
  );
  const used = kindBy('used', links.used);
  const expired = kindBy('expired', links.expired);
  const withdrawn = kindBy('withdrawn', links.withdrawn);

  const alike = {
    kinds: [unknown, used, expired, withdrawn, kindBy('replaced', links.replaced), kindBy('gone', goneLinks)],
    forms: forms(token),
    answered: [[kindBy('good', links.good), 200] as const, [used, 404] as const],
    control: [
      unknown,
      { name: 'a long page', requests: [getBy(token, '/v2/members?per_page=100', 'X-Request-Id: same')] },
    ] as const,
    pairs: [used, expired, withdrawn].map((kind) => [unknown, kind] as const),
  };
  return await proveAlike(port, alike, { size, random });
}

function kindBy(name: string, tokens: readonly string[]): Kind {
  return { name, requests: tokens.map(requestOf) };
}

function requestOf(token: string): string {
  const body = JSON.stringify({ token });
  const lines = [
    `POST ${accept} HTTP/1.1`,
    'Host: roster.test',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'X-Request-Id: same',
  ];
  return [...lines, '', body].join('\r\n');
}

/** The same question in other forms: a key and an idempotency key say nothing here. */
const forms = (token: string): readonly ((request: string) => string)[] => [
  (request) => request,
  (request) => request.replace('\r\nX-', `\r\nAuthorization: Bearer ${token}\r\nX-`),
  (request) => request.replace('\r\nX-', '\r\nIdempotency-Key: once\r\nX-'),
];

let invited = 0;

interface Invited {
  id: string;
  token: string;
}

async function invite(api: Api): Promise<Invited> {
  const body = JSON.stringify({ email: `p${++invited}@example.com`, roles: ['Viewer'] });
  const { id, ...made } = await api.data<Link & { id: string }>({ method: 'POST', path: '/v2/members', body });
  return { id, token: tokenIn(made) };
}

interface Link {
  invitation: { url: string };
}

const tokenIn = ({ invitation }: Link): string => invitation.url.split('#')[1] ?? '';

async function issue(at: Installation, api: Api) {
  for (let count = 0; count < waiting; count++) await invite(api);
  const links = { good: [] as string[], used: [] as string[], replaced: [] as string[], withdrawn: [] as string[] };
  for (let count = 0; count < linksOfKind; count++) {
    links.good.push((await invite(api)).token);
    const used = await invite(api);
    await api.data({ method: 'POST', path: accept, body: JSON.stringify({ token: used.token }) });
    links.used.push(used.token);
    const replaced = await invite(api);
    await api.data({ method: 'POST', path: `/v2/members/${replaced.id}/invitation` });
    links.replaced.push(replaced.token);
    const withdrawn = await invite(api);
    await api.ask({ method: 'DELETE', path: `/v2/members/${withdrawn.id}` });
    links.withdrawn.push(withdrawn.token);
  }
  const expired: string[] = [];
  await atOnce(2, Array(linksOfKind).keys(), async (number) => {
    const args = ['members', 'invite', `late${number}@example.com`, '--project', 'acme', '--role', 'Viewer'];
    expired.push(tokenIn(await at.json<Link>([...args, '--expires-in', '1h'], { env: twoHoursAgo })));
  });
  return { ...links, expired };
}

/** For a command: no link lives for less than an hour. */
const twoHoursAgo = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`
    const Now = Date;
    globalThis.Date = class extends Now {
      constructor(...given) {
        super(...(given.length === 0 ? [Now.now() - 7_200_000] : given));
      }
      static now() {
        return Now.now() - 7_200_000;
      }
    };
  `)}`,
};

async function linksOfAGoneProject(at: Installation, port: number): Promise<string[]> {
  using api = await openApi(port, (await aTenant(at, 'gone')).token, 1);
  const tokens: string[] = [];
  for (let count = 0; count < linksOfKind; count++) tokens.push((await invite(api)).token);
  await at.json(['projects', 'delete', 'gone', '--yes']);
  return tokens;
}
