import type { Upkeep } from '../upkeep.ts';
import { addSeconds, formatTimestamp, type Timestamp } from '../values/timestamp.ts';

/** The right of one process to do what a row of the table `jobs` names. */
export interface Lease {
  /** Whether a third of it is over. */
  isOld(): boolean;
  /** Returns false where another process has it. */
  renew(): Promise<boolean>;
  /** Leaves it to whoever comes first after this time. */
  end(next: Timestamp): Promise<void>;
}

/** Undefined while another process has it, or the work is not due. */
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
