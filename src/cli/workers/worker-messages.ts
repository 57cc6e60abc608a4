import type { Config } from '../../config.ts';
import type { ErrorCode } from '../../errors.ts';
import type { CountsAsked, CountsGiven } from '../../http/limits/primary-counts.ts';
import type { Snapshot } from '../../observability/metrics.ts';

/** What the primary tells a worker. */
export type ToWorker =
  | { kind: 'serve'; config: Config }
  | { kind: 'stop' }
  | { kind: 'measure' }
  | { kind: 'counted'; counts: CountsGiven };

/** What a worker tells the primary. */
export type ToPrimary =
  | { kind: 'listening'; address: string }
  /** It ends; without a code it was not foreseen. */
  | { kind: 'failed'; code: ErrorCode | undefined; message: string }
  | { kind: 'measured'; snapshot: Snapshot }
  | { kind: 'count'; counts: CountsAsked };
