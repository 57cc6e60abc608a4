import { AppError } from '../errors.ts';
import type { Store } from '../store.ts';
import type { DueWebhook, WebhooksState } from '../upkeep.ts';
import { addSeconds, formatTimestamp } from '../values/timestamp.ts';
import { failsTooLongSince, type Tried } from '../webhooks/attempts.ts';
import type { Outgoing } from '../webhooks/outgoing.ts';
import { senderJob, sendDue } from '../webhooks/send.ts';
import { inTurns } from './in-turns.ts';
import { rest } from './rest.ts';

type Tell = (fields: object, message: string) => void;

interface SenderOptions {
  log: Readonly<Record<'info' | 'warn' | 'error', Tell>>;
  onTried?: ((tried: Tried) => void) | undefined;
  /** Undefined while another process sends, and knows. */
  onMeasured?: ((state: WebhooksState | undefined) => void) | undefined;
  /** Looking for the lease, and for webhooks. */
  seekEveryMs?: number;
  lookEveryMs?: number;
  measureEveryMs?: number;
  leaseSeconds?: number;
}

/** Looking for what is due takes a fifth of the time at most. */
const restPerMs = 4;
const drainMs = 5_000;
/** The stored position of a webhook moves over events that are not for it so often. */
const keepEveryMs = 5_000;
/** One webhook has so many requests at once, and all together ten times as many; beyond that each has one. */
const requestsOfWebhook = 25;
const requestsMax = 250;
/** So many webhooks are begun together: each counts until its receivers have answered, or for this time. */
const begunMax = 20;
const begunMs = 250;
const lookSoonMs = 5;

interface Known {
  attempts: number;
  looked: bigint;
  keptAt: number;
  waitsUntil: string;
  isBusy: boolean;
  begunAt: number;
}

function unknown(): Known {
  return { attempts: -1, looked: 0n, keptAt: performance.now(), waitsUntil: '', isBusy: false, begunAt: 0 };
}

/**
 * Sends what webhooks are owed, in one process at a time: whoever holds the lease. Disposal ends it, and gives the lease back;
 * requests on their way have five seconds.
 */
export function startSender(store: Store, outgoing: Outgoing, options: SenderOptions): AsyncDisposable {
  const { log, onTried, onMeasured, seekEveryMs = 1_000, lookEveryMs = 50, leaseSeconds = 6 } = options;
  const { measureEveryMs = 15_000 } = options;
  const stopping = new AbortController();
  const paced = inTurns(outgoing);
  const known = new Map<string, Known>();
  const sending = new Set<Promise<void>>();
  const begun = new Set<Known>();
  let requests = 0;

  const sendOne = async (due: DueWebhook, state: Known, signal: AbortSignal): Promise<void> => {
    const { project_id: projectId, id: webhookId } = due;
    const share = Math.max(1, Math.min(requestsOfWebhook, requestsMax - requests));
    requests += share;
    begun.add(state);
    const leaving = setTimeout(() => begun.delete(state), begunMs).unref();
    Object.assign(state, { isBusy: true, begunAt: performance.now() });
    try {
      const { attempts, looked, keptAt } = state;
      const keepsPosition = performance.now() - keptAt > keepEveryMs;
      if (keepsPosition) state.keptAt = performance.now();
      const asked = { projectId, webhookId, attempts, looked, keepsPosition, requestsMax: share };
      const { tried, ...seen } = await sendDue(store, paced, asked, signal);
      for (const one of tried) onTried?.(one);
      Object.assign(state, seen);
    } catch (error) {
      if (signal.aborted) return;
      // The lease is lost with the store, or the next look tries again.
      if (!(error instanceof AppError)) log.error({ err: error, webhook_id: webhookId }, 'a webhook could not be sent');
      const waitsUntil = formatTimestamp(addSeconds(new Date(), 1));
      Object.assign(state, { attempts: due.attempts, looked: 0n, waitsUntil });
    } finally {
      clearTimeout(leaving);
      begun.delete(state);
      requests -= share;
      state.isBusy = false;
    }
  };

  const isDue = ({ due, state }: { due: DueWebhook; state: Known }, now: string): boolean => {
    const isSame = state.attempts === due.attempts;
    // The number falls when a failover loses commits.
    if (state.looked > due.last_event) state.looked = 0n;
    const hasLooked = isSame && state.looked >= due.last_event;
    const isKept = performance.now() - state.keptAt < keepEveryMs;
    return !state.isBusy && !(isSame && state.waitsUntil > now) && (due.is_time_up === 1 || !hasLooked || !isKept);
  };

  /** Begins with those that have waited longest. Returns whether some are left. */
  const look = async (signal: AbortSignal): Promise<boolean> => {
    const date = new Date();
    const now = formatTimestamp(date);
    const found = await store.upkeep.dueWebhooks(now, failsTooLongSince(date));
    const all = found.map((due) => ({ due, state: known.get(due.id) ?? unknown() }));
    for (const { due, state } of all) known.set(due.id, state);
    const waiting = all.filter((one) => isDue(one, now)).toSorted((a, b) => a.state.begunAt - b.state.begunAt);
    const room = Math.max(0, begunMax - begun.size);
    for (const { due, state } of waiting.slice(0, room)) {
      const one = sendOne(due, state, signal).finally(() => sending.delete(one));
      sending.add(one);
    }
    return waiting.length > room;
  };

  let measuredAt = Number.NEGATIVE_INFINITY;
  const measure = async (): Promise<void> => {
    if (!onMeasured || performance.now() - measuredAt < measureEveryMs) return;
    measuredAt = performance.now();
    onMeasured(await store.upkeep.webhooksState());
  };

  /** Sends while it holds the lease, and webhooks are there. Returns when the lease ends; undefined where it is lost. */
  const holdWhileDue = async (claimed: string, cutting: AbortSignal): Promise<string | undefined> => {
    let until = claimed;
    let renewedAt = performance.now();
    for (let wait = 0; await rest(wait, stopping.signal);) {
      const startedAt = performance.now();
      if (startedAt - renewedAt > (leaseSeconds * 1_000) / 3) {
        const renewed = formatTimestamp(addSeconds(new Date(), leaseSeconds));
        if (renewed !== until && !(await store.upkeep.release(senderJob, until, renewed))) return undefined;
        [until, renewedAt] = [renewed, startedAt];
        if (!(await store.upkeep.hasWebhooks())) break;
      }
      const areLeft = await look(cutting);
      await measure();
      wait = Math.max(areLeft ? lookSoonMs : lookEveryMs, (performance.now() - startedAt) * restPerMs);
    }
    return until;
  };

  /** Whoever has the lease next shall not meet requests of this one. */
  const hold = async (claimed: string): Promise<void> => {
    const cutting = new AbortController();
    let until: string | undefined;
    try {
      until = await holdWhileDue(claimed, cutting.signal);
    } finally {
      const cut = setTimeout(() => cutting.abort(new Error('stopped')), until === undefined ? 0 : drainMs);
      await Promise.all(sending);
      clearTimeout(cut);
    }
    if (until !== undefined) await store.upkeep.release(senderJob, until, formatTimestamp(new Date()));
  };

  const running = (async () => {
    let isAway = false;
    for (let wait = seekEveryMs; await rest(wait, stopping.signal); wait = seekEveryMs) {
      try {
        if (!(await store.upkeep.hasWebhooks())) {
          await measure();
          continue;
        }
        const now = new Date();
        const until = formatTimestamp(addSeconds(now, leaseSeconds));
        measuredAt = Number.NEGATIVE_INFINITY;
        if (!(await store.upkeep.claim(senderJob, formatTimestamp(now), until))) {
          onMeasured?.(undefined);
          continue;
        }
        known.clear();
        isAway = false;
        await hold(until);
      } catch (error) {
        if (stopping.signal.aborted) return;
        if (!(error instanceof AppError)) log.error({ err: error }, 'webhooks are not sent');
        else if (!isAway) log.warn({ code: error.code }, `webhooks wait: ${error.message}`);
        isAway = error instanceof AppError;
      }
    }
  })();
  return {
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await running;
    },
  };
}
