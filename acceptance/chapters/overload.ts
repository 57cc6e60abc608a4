import type { Guarantee } from '../guarantee.ts';
import { fullSeconds, overloadWith } from '../load/flood.ts';
import { getRequest } from '../load/load.ts';

/** Five times what it can answer, asked by many connections of one key that never wait, beside callers who do. */
export const overload: Guarantee = {
  name: 'overload',
  sizes: { smoke: 0, core: 4, full: fullSeconds },
  engines: ['SQLite', 'PostgreSQL'],
  prove: overloadWith({ requestsOf: ({ paths, token }) => paths.map((path) => getRequest(path, token)) }),
};
