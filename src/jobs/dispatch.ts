import { AppError } from '../errors.ts';
import type { Store } from '../store.ts';
import type { DueWebhook } from '../upkeep.ts';
import { addSeconds, formatTimestamp } from '../values/timestamp.ts';
import { failsTooLongSince, type Tried } from '../webhooks/attempts.ts';
import type { Outgoing } from '../webhooks/outgoing.ts';
import { sendDue } from '../webhooks/send.ts';
import { inTurns } from './in-turns.ts';
import type { JobLog } from './rounds.ts';

/** How often a webhook's stored position skips events that are not for it. */
const keepEveryMs = 5_000;
/** Concurrent requests of one webhook, and of all together. Beyond the total each webhook still has one. */
const requestsOfWebhook = 25;
const requestsMax = 250;
/** Webhooks that start together. Each counts until its receiver has answered, or for `begunMs`. */
const begunMax = 20;
const begunMs = 250;

interface Known {
  attempts: number;
  looked: bigint;
  keptAt: number;
  waitsUntil: string;
  isBusy: boolean;
  begunAt: number;
}

export interface DispatchOptions {
  log: Pick<JobLog, 'error'>;
  onTried?: ((tried: Tried) => void) | undefined;
}

export interface Dispatcher {
  /** Starts the due webhooks that have waited longest. Returns whether some are left. */
  look(signal: AbortSignal): Promise<boolean>;
  /** Forgets all webhooks, as another process may have sent since. */
  forget(): void;
  ended(): Promise<unknown>;
}

export function openDispatcher(store: Store, outgoing: Outgoing, { log, onTried }: DispatchOptions): Dispatcher {
  const paced = inTurns(outgoing);
  const known = new Map<string, Known>();
  const sending = new Set<Promise<void>>();
  const begun = new Set<Known>();
  let requests = 0;
  const begin = async (due: DueWebhook, state: Known, signal: AbortSignal): Promise<void> => {
    const share = Math.max(1, Math.min(requestsOfWebhook, requestsMax - requests));
    requests += share;
    begun.add(state);
    const leaving = setTimeout(() => begun.delete(state), begunMs).unref();
    Object.assign(state, { isBusy: true, begunAt: performance.now() });
    try {
      for (const one of await sendTo(store, paced, due, state, share, signal)) onTried?.(one);
    } catch (error) {
      if (signal.aborted) return;
      // An AppError needs no log: the lease is lost with the store, or the next look retries.
      if (!(error instanceof AppError)) log.error({ err: error, webhook_id: due.id }, 'a webhook could not be sent');
      const waitsUntil = formatTimestamp(addSeconds(new Date(), 1));
      Object.assign(state, { attempts: due.attempts, looked: 0n, waitsUntil });
    } finally {
      clearTimeout(leaving);
      begun.delete(state);
      requests -= share;
      state.isBusy = false;
    }
  };
  return {
    look: async (signal) => {
      const now = new Date();
      const found = await store.upkeep.dueWebhooks(formatTimestamp(now), failsTooLongSince(now));
      const all = found.map((due) => ({ due, state: known.get(due.id) ?? unknown() }));
      for (const { due, state } of all) known.set(due.id, state);
      const isNext = ({ due, state }: (typeof all)[number]) => isDue(due, state, formatTimestamp(now));
      const waiting = all.filter(isNext).toSorted((a, b) => a.state.begunAt - b.state.begunAt);
      const room = Math.max(0, begunMax - begun.size);
      for (const { due, state } of waiting.slice(0, room)) {
        const one = begin(due, state, signal).finally(() => sending.delete(one));
        sending.add(one);
      }
      return waiting.length > room;
    },
    forget: () => known.clear(),
    ended: () => Promise.all(sending),
  };
}

function unknown(): Known {
  return { attempts: -1, looked: 0n, keptAt: performance.now(), waitsUntil: '', isBusy: false, begunAt: 0 };
}

function isDue(due: DueWebhook, state: Known, now: string): boolean {
  const isSame = state.attempts === due.attempts;
  // `last_event` falls when a failover loses commits.
  if (state.looked > due.last_event) state.looked = 0n;
  const hasLooked = isSame && state.looked >= due.last_event;
  const isKept = performance.now() - state.keptAt < keepEveryMs;
  return !state.isBusy && !(isSame && state.waitsUntil > now) && (due.is_time_up === 1 || !hasLooked || !isKept);
}

async function sendTo(
  store: Store,
  outgoing: Outgoing,
  { project_id: projectId, id: webhookId }: DueWebhook,
  state: Known,
  share: number,
  signal: AbortSignal,
): Promise<readonly Tried[]> {
  const { attempts, looked, keptAt } = state;
  const keepsPosition = performance.now() - keptAt > keepEveryMs;
  if (keepsPosition) state.keptAt = performance.now();
  const asked = { projectId, webhookId, attempts, looked, keepsPosition, requestsMax: share };
  const { tried, ...seen } = await sendDue(store, outgoing, asked, signal);
  Object.assign(state, seen);
  return tried;
}
