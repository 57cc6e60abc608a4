import type { AppError } from '../errors.ts';
import type { Log } from '../observability/access-log.ts';
import { formatTimestamp } from '../values/timestamp.ts';

const quietMs = 1_000;
/** After so long without a failure of a cause, the next one begins a new outage. */
const overAfterMs = 60_000;

interface Outage {
  since: number;
  lastAt: number;
  leftOut: number;
  isWaiting: boolean;
}

/** Logs what is unavailable in a sentence: each cause at most once a second, with a count of the requests left out. */
export function outageTeller(log: Log): (requestId: string, error: AppError) => void {
  const outages = new Map<string, Outage>();
  return (requestId, { code, message, cause }) => {
    const now = Date.now();
    const known = outages.get(message);
    const outage =
      known && now - known.lastAt < overAfterMs ? known : { since: now, lastAt: now, leftOut: 0, isWaiting: false };
    outages.set(message, outage);
    outage.lastAt = now;
    if (outage.isWaiting) return void outage.leftOut++;
    const since = formatTimestamp(new Date(outage.since));
    const fields = { code, since, ...(cause instanceof Error && { cause: cause.message }) };
    log.error({ request_id: requestId, ...fields }, message);
    const wait = () => {
      outage.isWaiting = true;
      setTimeout(() => {
        const { leftOut } = outage;
        Object.assign(outage, { leftOut: 0, isWaiting: false });
        if (leftOut === 0) return;
        log.error({ ...fields, left_out: leftOut }, message);
        wait();
      }, quietMs).unref();
    };
    wait();
  };
}
