import { crossTenantRequests } from './chapters/cross-tenant-requests.ts';
import { malformedRequests } from './chapters/malformed-requests.ts';
import { refusedKeys } from './chapters/refused-keys.ts';
import { unknownAndForeign } from './chapters/unknown-and-foreign.ts';
import type { Guarantee } from './guarantee.ts';

/** The rows of the table, in its order. */
export const guarantees: readonly Guarantee[] = [
  malformedRequests,
  crossTenantRequests,
  unknownAndForeign,
  refusedKeys,
];
