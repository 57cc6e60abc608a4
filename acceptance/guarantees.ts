import { backupsDuringImports } from './chapters/backups-during-imports.ts';
import { damagedFiles } from './chapters/damaged-files.ts';
import { diskFaultsDuringHttpWrites } from './chapters/disk-faults-during-http-writes.ts';
import { diskFaults } from './chapters/disk-faults.ts';
import { failover } from './chapters/failover.ts';
import { idleConnections } from './chapters/idle-connections.ts';
import { importFromChatling, memoryOfAnImport } from './chapters/import-from-chatling.ts';
import { keys } from './chapters/keys.ts';
import { killDuringDeliveries } from './chapters/kill-during-deliveries.ts';
import { killDuringHttpWrites } from './chapters/kill-during-http-writes.ts';
import { killDuringWrites } from './chapters/kill-during-writes.ts';
import { malformedRequests } from './chapters/malformed-requests.ts';
import { oneGreedyProject } from './chapters/one-greedy-project.ts';
import { overload, overloadWithWrites } from './chapters/overload.ts';
import { plantedSecrets } from './chapters/planted-secrets.ts';
import { proxies } from './chapters/proxies.ts';
import { receiversOfAllKinds } from './chapters/receivers-of-all-kinds.ts';
import { refusedKeys } from './chapters/refused-keys.ts';
import { refusedLinks } from './chapters/refused-links.ts';
import { requestsInARow } from './chapters/requests-in-a-row.ts';
import { rotationUnderLoad } from './chapters/rotation-under-load.ts';
import { slowClients } from './chapters/slow-clients.ts';
import { smuggling } from './chapters/smuggling.ts';
import { stopsUnderLoad } from './chapters/stops-under-load.ts';
import { takeoverOfDeliveries } from './chapters/takeover-of-deliveries.ts';
import { unknownAndForeign } from './chapters/unknown-and-foreign.ts';
import type { Guarantee } from './guarantee.ts';

/** The rows of the table, in its order. */
export const guarantees: readonly Guarantee[] = [
  malformedRequests,
  unknownAndForeign,
  refusedKeys,
  refusedLinks,
  killDuringWrites,
  killDuringHttpWrites,
  killDuringDeliveries,
  takeoverOfDeliveries,
  rotationUnderLoad,
  receiversOfAllKinds,
  failover,
  diskFaults,
  diskFaultsDuringHttpWrites,
  damagedFiles,
  backupsDuringImports,
  importFromChatling,
  memoryOfAnImport,
  keys,
  smuggling,
  proxies,
  plantedSecrets,
  overload,
  overloadWithWrites,
  oneGreedyProject,
  slowClients,
  idleConnections,
  requestsInARow,
  stopsUnderLoad,
];
