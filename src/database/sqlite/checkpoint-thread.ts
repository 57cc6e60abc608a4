import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

import { codeOf } from './failures.ts';
import { type FileIdentity, keptLog, requireSame } from './reader.ts';

// Entry of the thread of checkpoints.ts. Each message is a kind of checkpoint; null ends the thread.

export type Kind = 'passive' | 'truncate';

export type CheckpointAnswer = { isWhole: boolean } | { message: string; errcode: number | undefined };

const identity = workerData as FileIdentity;
let opened: DatabaseSync | undefined;

function open(): DatabaseSync {
  const [file] = identity;
  const db = new DatabaseSync(file, { timeout: 0 });
  db.exec(`pragma trusted_schema = off; pragma synchronous = normal; pragma wal_autocheckpoint = 0; ${keptLog}`);
  requireSame(file, identity);
  return db;
}

function answer(kind: Kind): CheckpointAnswer {
  try {
    opened ??= open();
    return { isWhole: opened.prepare(`pragma wal_checkpoint(${kind})`).get()?.['busy'] === 0 };
  } catch (error) {
    return { message: (error as Error).message, errcode: codeOf(error) };
  }
}

parentPort?.on('message', (kind: Kind | null) => {
  if (kind !== null) return parentPort?.postMessage(answer(kind));
  opened?.close();
  parentPort?.close();
});
