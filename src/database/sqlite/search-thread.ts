import type { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

import { AppError } from '../../errors.ts';
import type { Connection } from '../database.ts';
import type { FoundRow } from '../search/terms.ts';
import { connectionOn } from './connection.ts';
import { codeOf } from './failures.ts';
import { type FileIdentity, openReader, requireSame } from './reader.ts';

// Entry of a thread of search-threads.ts. Each message is a search; null ends the thread.

export type SearchQuestion = Parameters<Connection['search']> | null;

export type SearchAnswer =
  | { rows: FoundRow[] }
  | { error: { message: string; code?: AppError['code'] | undefined; errcode?: number | undefined } };

const identity = workerData as FileIdentity;
let opened: { db: DatabaseSync; connection: Pick<Connection, 'search'> } | undefined;

function open() {
  const [file] = identity;
  const db = openReader(file);
  requireSame(file, identity);
  return { db, connection: connectionOn(db, (work) => work()) };
}

async function answer(asked: NonNullable<SearchQuestion>): Promise<SearchAnswer> {
  try {
    opened ??= open();
    const { db, connection } = opened;
    // One snapshot, taken after the request.
    db.exec('begin');
    try {
      return { rows: await connection.search(...asked) };
    } finally {
      if (db.isTransaction) db.exec('rollback');
    }
  } catch (error) {
    const { message } = error as Error;
    return { error: { message, code: error instanceof AppError ? error.code : undefined, errcode: codeOf(error) } };
  }
}

parentPort?.on('message', (asked: SearchQuestion) => {
  if (asked) return void answer(asked).then((answered) => parentPort?.postMessage(answered));
  opened?.db.close();
  parentPort?.close();
});
