import type { Worker } from 'node:worker_threads';

import type { Answered, Kind } from './checkpoint-thread.ts';
import type { FileIdentity } from './reader.ts';
import { askThread, endThread, entryOf, startThread } from './thread.ts';

/** Moves the log into the file, in a thread: to copy and sync thousands of pages takes a tenth of a second. */
export interface Checkpoints extends AsyncDisposable {
  /** Whether the whole log was moved. Throws the error of the engine. */
  make(kind: Kind): Promise<boolean>;
}

/** The thread begins with the first checkpoint. It must end before the other connections: the last one checkpoints too. */
export function openCheckpoints(identity: FileIdentity): Checkpoints {
  let thread: Worker | undefined;
  const start = () => {
    const started = startThread(entryOf('checkpoint-thread'), identity);
    started.once('exit', () => (thread = undefined));
    return started;
  };
  return {
    make: async (kind) => {
      const answered = await askThread<Answered>((thread ??= start()), kind);
      if ('isWhole' in answered) return answered.isWhole;
      throw Object.assign(new Error(answered.message), { errcode: answered.errcode });
    },
    [Symbol.asyncDispose]: async () => {
      if (thread) await endThread(thread);
    },
  };
}
