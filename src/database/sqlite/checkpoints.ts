import type { Worker } from 'node:worker_threads';

import type { CheckpointAnswer, Kind } from './checkpoint-thread.ts';
import type { FileIdentity } from './reader.ts';
import { askThread, endThread, entryOf, startThread } from './thread.ts';

/** Moves the log into the file, in a thread: copying and syncing thousands of pages takes 0.1 s. */
export interface Checkpoints extends AsyncDisposable {
  /** Whether the whole log was moved. Throws the error of the engine. */
  make(kind: Kind): Promise<boolean>;
}

/** Must end before the other connections, as closing the last one checkpoints too. */
export function openCheckpoints(identity: FileIdentity): Checkpoints {
  let thread: Worker | undefined;
  const entry = entryOf('checkpoint-thread');
  const start = () => {
    const started = startThread(entry, identity);
    started.once('exit', () => (thread = undefined));
    return started;
  };
  return {
    make: async (kind) => {
      const answered = await askThread<CheckpointAnswer>((thread ??= start()), kind);
      if ('isWhole' in answered) return answered.isWhole;
      throw Object.assign(new Error(answered.message), { errcode: answered.errcode });
    },
    [Symbol.asyncDispose]: async () => {
      if (thread) await endThread(thread);
    },
  };
}
