import { setTimeout } from 'node:timers/promises';

import { seededRandom } from '../../test/support/random.ts';
import type { Guarantee, Trial } from '../guarantee.ts';
import type { Installation } from '../installation.ts';
import { type Kind, proveAlike } from '../parts/alike.ts';
import { atOnce } from '../parts/at-once.ts';
import { getBy } from '../parts/caller.ts';
import { randomSecret, secretLength, tokenOf, unissuedToken } from '../parts/tokens.ts';

/**
 * A key that was never issued, one that has expired, was revoked or rotated away, and one that begins like a good one
 * are refused alike, to the byte and in the same time. A wrong checksum is known offline, and may be refused sooner.
 */
export const refusedKeys: Guarantee = {
  name: 'refused keys alike',
  sizes: { smoke: 0, core: 1_000, full: 20_000 },
  engines: ['SQLite', 'PostgreSQL'],
  prove,
};

type Random = ReturnType<typeof seededRandom>;

const keysOfKind = 4;
const path = '/v2/members';

async function prove({ install, size, seed }: Trial) {
  const random = seededRandom(seed);
  const at = await install();
  const issued = await issue(at);
  const { port } = await at.serve({ ROSTER_RATE_LIMIT: '0' });
  const unissued = kindBy('unissued', several(random));
  const ended = kindBy('revoked', issued.revoked);
  const expired = kindBy('expired', issued.expired);
  const begins = kindBy(
    'begins like a good one',
    issued.good.flatMap((token) => [2, 12, 25].map((shared) => beginningLike(token, shared, random))),
  );
  const beginsElse = kindBy('begins otherwise', several(random));
  const good = kindBy('good', issued.good);

  const malformed = kindBy('malformed', [
    ...issued.good.map((token) => `${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`),
    'short',
    'x'.repeat(300),
    `${issued.good[0]} ${issued.good[0]}`,
    'ü'.repeat(20),
  ]);
  const alike = {
    kinds: [unissued, ended, expired, begins, malformed],
    forms: ['GET ', 'HEAD '].map((method) => (request: string) => request.replace('GET ', method)),
    answered: [[good, 200] as const],
    control: [unissued, kindBy('a long page', issued.good, `${path}?per_page=100`)] as const,
    pairs: [[unissued, ended] as const, [unissued, expired] as const, [beginsElse, begins] as const],
  };
  return proveAlike(port, alike, { size, random });
}

function kindBy(name: string, tokens: readonly string[], asked = path): Kind {
  return { name, requests: tokens.map((token) => getBy(token, asked, 'X-Request-Id: same')) };
}

function several(random: Random): string[] {
  return Array.from({ length: keysOfKind * 2 }, () => unissuedToken(random));
}

async function issue(at: Installation) {
  await at.json(['projects', 'create', 'Acme', '--id', 'acme']);
  const create = (...more: readonly string[]) =>
    at.json<{ id: string; token: string }>(['keys', 'create', '--project', 'acme', '--name', 'k', ...more]);
  const tokens = { good: [] as string[], revoked: [] as string[], expired: [] as string[] };
  await atOnce(2, Array(keysOfKind).fill(undefined), async () => {
    tokens.good.push((await create()).token);
    const revoked = await create();
    await at.json(['keys', 'revoke', revoked.id]);
    tokens.revoked.push(revoked.token);
    tokens.expired.push((await create('--expires', '1s')).token);
    const rotated = await create();
    await at.json(['keys', 'rotate', rotated.id, '--overlap', '0']);
    tokens.expired.push(rotated.token);
  });
  const members = Array.from({ length: 100 }, (_, index) => `member-${index}@example.com,Viewer`);
  await at.json(['members', 'import', '-', '--project', 'acme', '--format', 'csv'], {
    input: ['email,role', ...members].join('\n'),
  });
  // Until those that live for a second have ended.
  await setTimeout(1_100);
  return tokens;
}

/** Another well-formed token with so many characters of this one. */
function beginningLike(token: string, shared: number, random: Random): string {
  const secret = token.slice('rst_'.length, 'rst_'.length + secretLength);
  return tokenOf(secret.slice(0, shared) + randomSecret(random, secretLength - shared));
}
