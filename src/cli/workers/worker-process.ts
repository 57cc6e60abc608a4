import cluster, { type Worker } from 'node:cluster';

import type { Config } from '../../config.ts';
import { AppError } from '../../errors.ts';
import type { ToPrimary, ToWorker } from './worker-messages.ts';

export interface WorkerProcess {
  id: number;
  pid: number | undefined;
  isListening: boolean;
  tell: (message: ToWorker) => void;
  kill: () => void;
}

/** How a worker ended; `failure` is what it said itself. */
export interface WorkerEnd {
  code: number | null;
  signal: string | null;
  livedMs: number;
  failure: Failure | undefined;
}

type Failure = ToPrimary & { kind: 'failed' };
type FromWorker = Exclude<ToPrimary, Failure | { kind: 'listening' }>;

export interface WorkerEvents {
  onListening: (worker: WorkerProcess, address: string) => void;
  onMessage: (worker: WorkerProcess, message: FromWorker) => void;
  /** Once, whether it ended or never was. */
  onEnd: (worker: WorkerProcess, end: WorkerEnd) => void;
}

/** Starts a worker and tells it the settings. */
export function startWorker(config: Config, { onListening, onMessage, onEnd }: WorkerEvents): WorkerProcess {
  const worker = cluster.fork();
  const startedAt = performance.now();
  const started: WorkerProcess = {
    id: worker.id,
    pid: worker.process.pid,
    isListening: false,
    tell: (message) => tell(worker, message),
    kill: () => void worker.process.kill('SIGKILL'),
  };
  let failure: Failure | undefined;
  worker.on('message', (message: ToPrimary) => {
    if (message.kind === 'failed') failure = message;
    else if (message.kind !== 'listening') onMessage(started, message);
    else {
      started.isListening = true;
      onListening(started, message.address);
    }
  });
  const end = (code: number | null, signal: string | null) =>
    onEnd(started, { code, signal, failure, livedMs: performance.now() - startedAt });
  worker.once('exit', end);
  // Where there is no process, there is no exit. (Its other errors are of messages to one that has ended.)
  worker.on('error', () => started.pid === undefined && end(null, null));
  started.tell({ kind: 'serve', config });
  return started;
}

function tell(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message, undefined, undefined, () => undefined);
}

/** The failure of the whole program where its workers end so. */
export function errorOf({ failure, code, signal }: WorkerEnd): Error {
  if (failure?.code !== undefined) return new AppError(failure.code, failure.message);
  if (failure) return new Error(failure.message);
  return new AppError(
    'unavailable',
    `A worker ended before it listened (${signal ?? `exit code ${String(code)}`}); see what it wrote above this line, or set ROSTER_WORKERS to 1.`,
  );
}
