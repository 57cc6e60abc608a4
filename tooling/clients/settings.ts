import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));
export const tooling = fileURLToPath(new URL('../', import.meta.url));

/** Nothing that is run here takes a tenth of it; what hangs is stopped. */
export const limitMs = 120_000;
