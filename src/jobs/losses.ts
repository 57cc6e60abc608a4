import { AppError } from '../errors.ts';
import type { Store } from '../store.ts';
import { inRounds, type JobLog } from './rounds.ts';

interface LossOptions {
  log: Pick<JobLog, 'error'>;
  onLost?: ((events: number) => void) | undefined;
  everyMs?: number;
}

export function watchLosses(store: Pick<Store, 'lostEvents'>, options: LossOptions): AsyncDisposable {
  const { log, onLost, everyMs = 1_000 } = options;
  const look = async () => {
    for (const { projectId, from, to, count } of await store.lostEvents()) {
      const fields = { project_id: projectId, from: String(from), to: String(to), count };
      log.error(fields, 'the database has lost acknowledged events; see "Failover" in docs/scaling.md');
      onLost?.(count);
    }
    return everyMs;
  };
  return inRounds(everyMs, look, (error) => {
    // The next round asks an unreachable database again.
    if (!(error instanceof AppError)) log.error({ err: error }, 'checking for lost events failed');
    return everyMs;
  });
}
