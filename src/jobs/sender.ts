import type { Store } from '../store.ts';
import type { WebhooksState } from '../upkeep.ts';
import { formatTimestamp } from '../values/timestamp.ts';
import type { Outgoing } from '../webhooks/outgoing.ts';
import { senderJob } from '../webhooks/send.ts';
import { type Dispatcher, type DispatchOptions, openDispatcher } from './dispatch.ts';
import { type Lease, takeLease } from './lease.ts';
import { rest, restPerMs } from './rest.ts';
import { failureLog, inRounds, type JobLog } from './rounds.ts';

interface SenderOptions extends DispatchOptions {
  log: JobLog;
  /** Undefined while another process sends, and knows. */
  onMeasured?: ((state: WebhooksState | undefined) => void) | undefined;
  /** Looking for the lease, and for webhooks. */
  seekEveryMs?: number;
  lookEveryMs?: number;
  measureEveryMs?: number;
  leaseSeconds?: number;
}

const drainMs = 5_000;
const lookSoonMs = 5;

/** Sends in one process, which holds the lease. Disposal gives it back; requests on their way have five seconds. */
export function startSender(store: Store, outgoing: Outgoing, options: SenderOptions): AsyncDisposable {
  const { log, onMeasured, seekEveryMs = 1_000, lookEveryMs = 50, leaseSeconds = 6, measureEveryMs = 15_000 } = options;
  const dispatcher = openDispatcher(store, outgoing, options);
  const failures = failureLog(log, 'webhooks are not sent', 'webhooks wait');
  let measuredAt = Number.NEGATIVE_INFINITY;
  const measure = async (): Promise<void> => {
    if (!onMeasured || performance.now() - measuredAt < measureEveryMs) return;
    measuredAt = performance.now();
    onMeasured(await store.upkeep.webhooksState());
  };
  const seek = async (stopped: AbortSignal): Promise<void> => {
    if (!(await store.upkeep.hasWebhooks())) return measure();
    measuredAt = Number.NEGATIVE_INFINITY;
    const lease = await takeLease(store.upkeep, senderJob, leaseSeconds);
    if (!lease) return onMeasured?.(undefined);
    failures.isBack();
    await hold(store, lease, { dispatcher, measure, lookEveryMs, stopped });
  };
  const round = async (stopped: AbortSignal) => {
    await seek(stopped);
    return seekEveryMs;
  };
  return inRounds(seekEveryMs, round, (error) => {
    failures.tell(error);
    return seekEveryMs;
  });
}

interface Held {
  dispatcher: Dispatcher;
  measure: () => Promise<void>;
  lookEveryMs: number;
  stopped: AbortSignal;
}

/** Sends until the lease ends. Ends its requests first, so that they do not overlap those of the next holder. */
async function hold(store: Store, lease: Lease, held: Held): Promise<void> {
  const cutting = new AbortController();
  held.dispatcher.forget();
  let isHeld = false;
  try {
    isHeld = await sendWhileDue(store, lease, held, cutting.signal);
  } finally {
    const cut = setTimeout(() => cutting.abort(new Error('stopped')), isHeld ? drainMs : 0);
    await held.dispatcher.ended();
    clearTimeout(cut);
  }
  if (isHeld) await lease.end(formatTimestamp(new Date()));
}

/** Returns whether it still holds the lease. */
async function sendWhileDue({ upkeep }: Store, lease: Lease, held: Held, signal: AbortSignal): Promise<boolean> {
  const { dispatcher, measure, lookEveryMs, stopped } = held;
  for (let wait = 0; await rest(wait, stopped);) {
    const startedAt = performance.now();
    if (lease.isOld()) {
      if (!(await lease.renew())) return false;
      if (!(await upkeep.hasWebhooks())) break;
    }
    const areLeft = await dispatcher.look(signal);
    await measure();
    wait = Math.max(areLeft ? lookSoonMs : lookEveryMs, (performance.now() - startedAt) * restPerMs);
  }
  return true;
}
