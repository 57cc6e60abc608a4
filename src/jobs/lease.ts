import type { Upkeep } from '../upkeep.ts';
import { addSeconds, formatTimestamp, type Timestamp } from '../values/timestamp.ts';

/** One process's exclusive right to run a job, held in a row of the table `jobs`. */
export interface Lease {
  /** Whether a third of its time is over. */
  isOld(): boolean;
  /** Returns false if another process has the lease. */
  renew(): Promise<boolean>;
  /** Lets any process take the lease from this time on. */
  end(next: Timestamp): Promise<void>;
}

/** Returns undefined while another process has the lease, or while the job is not due. */
export async function takeLease(
  upkeep: Upkeep,
  name: string,
  seconds: number,
  now = new Date(),
): Promise<Lease | undefined> {
  const endFrom = (start: Date) => formatTimestamp(addSeconds(start, seconds));
  let until = endFrom(now);
  if (!(await upkeep.claim(name, formatTimestamp(now), until))) return undefined;
  let renewedAt = performance.now();
  return {
    isOld: () => performance.now() - renewedAt > (seconds * 1_000) / 3,
    renew: async () => {
      const startedAt = performance.now();
      const later = endFrom(new Date());
      const isHeld = later === until || (await upkeep.release(name, until, later));
      if (isHeld) [until, renewedAt] = [later, startedAt];
      return isHeld;
    },
    end: async (next) => void (await upkeep.release(name, until, next)),
  };
}
