import { seededRandom } from '../../test/support/random.ts';
import { exchange } from '../../test/support/raw.ts';
import type { Guarantee, Trial } from '../guarantee.ts';

/** Good requests with some of their bits turned over, each on a connection of its own. */
export const malformedRequests: Guarantee = {
  name: 'malformed requests',
  promise: 'no 5xx, no answer outside the envelope, no crash',
  sizes: { smoke: 200, core: 2_000, full: 50_000 },
  engines: ['SQLite'],
  isHarmless: true,
  prove,
};

async function prove({ target, size, seed }: Trial) {
  const { host, port, token, paths } = await target({ ROSTER_RATE_LIMIT: '0' });
  const random = seededRandom(seed);
  const failures: string[] = [];
  for (let tried = 0; tried < size; tried++) {
    const bytes = Buffer.from(
      `GET ${random.pick(paths)} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`,
    );
    const flips = 1 + random.below(4);
    for (let flip = 0; flip < flips; flip++) {
      const at = random.below(bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
    }
    for (const { status, body } of await exchange(port, bytes, 300)) {
      const isEnveloped = /^\{"status":"(success|error)",/.test(body);
      if (status >= 500 || !isEnveloped)
        failures.push(`${JSON.stringify(bytes.toString('latin1'))}: ${status}`);
    }
  }
  return { tried: size, measured: '', failures };
}
