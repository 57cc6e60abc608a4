import { setImmediate as nextTurn } from 'node:timers/promises';

import type { QueryConfig, QueryResult } from 'pg';

import { giveWay } from '../../values/give-way.ts';
import {
  type Connection,
  type Database,
  type OpenOptions,
  type Queued,
  type Transaction,
  TransactionLost,
} from '../database.ts';
import { rememberKeys } from '../remembered-keys.ts';
import { fairShares } from '../shares.ts';
import { slicesOf } from '../slices.ts';
import { type Sql, sql } from '../sql.ts';
import { analysisPlan, type AnalysisOf } from './analysis.ts';
import { searchContacts } from './contact-search.ts';
import { onlyWritable, readHosts } from './hosts.ts';
import type { Send } from './lanes.ts';
import { openPool, type Pool } from './pool.ts';
import { insertionOf, statementOf } from './statements.ts';

const patient = { connectTimeoutMs: 5_000 };
/** A statement takes at most 2.5 s, connecting included. */
const impatient = {
  connectTimeoutMs: 1_000,
  lockTimeoutMs: 400,
  statementTimeoutMs: 1_400,
  deadlineMs: 1_500,
};

/** Slow searches leave one connection to other statements and one to searches of another project. */
const searchLimits = { atOnce: 3, ofProject: 2, waiting: 128 };

export function openPostgres(url: string, { serving = false }: OpenOptions = {}): Database {
  const pool = openPool(readHosts(url, serving), serving ? impatient : patient);
  const analysisOf = analysisPlan();
  const connection = connectionOn(askOn(pool.send), analysisOf);
  const transact = transactor(pool, analysisOf);
  const inShare = fairShares(searchLimits);
  return {
    ...connection,
    search: (...given) => inShare(given[0], () => connection.search(...given)),
    engine: 'postgres',
    transaction: (...given) => transact(begin, ...given),
    queueOf: ({ projectId, chatbotId }) =>
      chatbotId === undefined ? undefined : JSON.stringify([projectId, chatbotId]),
    ...(serving && { rememberKeys }),
    // With synchronous_commit a commit is visible only after its flush.
    durable: async () => undefined,
    identity: async () => {
      const found = await connection.first<{ identity: string }>(sql`
        select concat_ws(' ', extract(epoch from pg_postmaster_start_time()), oid) as identity
        from pg_database where datname = current_database()`);
      return found?.identity ?? '';
    },
    state: () => ({ pools: pool.state() }),
    connections: () => pool.opened(),
    script: async (text) => void (await pool.send([{ text }], { commits: true })),
    hasTable: async (name) =>
      (await connection.first(sql`select 1 from pg_catalog.pg_class where oid = to_regclass(${name})`)) !== undefined,
    snapshot: (work) => transact({ text: 'begin isolation level repeatable read read only' }, work),
    requireWritable: async () => void (await pool.send([onlyWritable])),
    mergeIndex: async function* () {},
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  };
}

type Ask = (statement: QueryConfig, options?: Parameters<Send>[1]) => Promise<QueryResult>;

// Idempotency keys and event numbers rely on READ COMMITTED.
const begin = { text: 'begin isolation level READ COMMITTED' };
const commit = { text: 'commit' };
const savepoint = { text: 'savepoint work' };
const release = { text: 'release work' };
const undo = { text: 'rollback to work' };
/** All readers of a table queue behind a schema change that waits for its lock. */
const brieflyLocked = { text: "set local lock_timeout = '2s'" };

function transactor(pool: Pool, analysisOf: AnalysisOf) {
  return <T>(beginning: QueryConfig, work: (connection: Transaction) => Promise<T>, queued?: Queued): Promise<T> =>
    pool.lend(async (send, lendOn) => {
      let isOver = false;
      const sendUnlessOver: Send = async (statements) => {
        if (isOver) throw new Error('the transaction has ended');
        return send(statements);
      };
      // Each is awaited at the end: statements that follow one another are sent together.
      const unawaited: Promise<unknown>[] = [];
      const beside = (statement: Promise<unknown>) => {
        statement.catch(() => undefined);
        unawaited.push(statement);
      };
      const due: QueryConfig[] = [];
      try {
        beside(sendUnlessOver([beginning]));
        const own = transactionOn(sendUnlessOver, (...inserted) => {
          due.push(...analysisOf(...inserted));
          return [];
        });
        const connection = { ...own, beforeCommit: beside };
        const result = await work(connection);
        const committing = send([commit], { commits: true });
        isOver = true;
        if (queued) {
          // The next transaction of the queue may be sent behind the commit: answers keep the order.
          lendOn();
          queued.onCommitting();
        }
        const [done] = await committing;
        // After a failed statement PostgreSQL answers ROLLBACK; the first one says why.
        for (const statement of unawaited) await statement;
        if (done?.command !== 'COMMIT') throw new Error('the transaction was rolled back');
        lendOn();
        // The next works of the queue go first: PostgreSQL is busy with them while these are answered.
        if (queued) await nextTurn();
        // Within the transaction ANALYZE would keep its lock, and block others and VACUUM.
        for (const analysis of due) await pool.lend((alone) => alone([analysis])).catch(() => undefined);
        return result;
      } catch (error) {
        const isBegun = !isOver;
        isOver = true;
        if (isBegun) await send([{ text: 'rollback' }]).catch(() => undefined);
        throw error;
      }
    }, queued?.queue);
}

function transactionOn(send: Send, analysisOf: AnalysisOf): Omit<Transaction, 'beforeCommit'> {
  const connection = connectionOn(askOn(send), analysisOf);
  let undone = 0;
  return {
    ...connection,
    insertAll: async (insertion, rows) => {
      const before = undone;
      for (const [place, some] of slicesOf(rows).entries()) {
        // Send the first statement at once, before later ones.
        if (place > 0) await giveWay();
        if (undone !== before) throw new Error('the insertion was given up');
        await connection.insertAll(insertion, some);
      }
    },
    script: async (text) => void (await send([brieflyLocked, { text }])),
    savepoint: () => {
      send([savepoint]).catch(() => undefined);
      return {
        release: () => void send([release]).catch(() => undefined),
        undo: async () => {
          undone++;
          await send([undo, release]).catch((cause: unknown) => {
            throw new TransactionLost('', { cause });
          });
        },
      };
    },
    lockSchema: async () =>
      void (await connection.first(sql`select pg_advisory_xact_lock(hashtextextended('roster migrations', 0))`)),
    requireProgram: async (lastKnown) => void (await connection.first(sql`select require_program(${lastKnown})`)),
    // VACUUM, which runs by itself, removes both.
    indexesBeside: false,
    unindex: async () => undefined,
    leaveNoTrace: async () => undefined,
    skipLocked: sql`for update skip locked`,
    forUpdate: sql`for update`,
    forChange: sql`for no key update`,
  };
}

function connectionOn(ask: Ask, analysisOf: AnalysisOf): Connection {
  const all = async <Row>(query: Sql) => (await ask(statementOf(query))).rows as Row[];
  return {
    all,
    first: async <Row>(query: Sql) => (await ask(statementOf(query))).rows[0] as Row | undefined,
    run: async (statement) => (await ask(statementOf(statement), { commits: true })).rowCount ?? 0,
    insertAll: async (insertion, rows) => {
      if (rows.length === 0) return;
      await ask(insertionOf(insertion, rows), { commits: true });
      for (const analysis of analysisOf(insertion, rows.length)) await ask(analysis).catch(() => undefined);
    },
    search: (...given) => searchContacts({ all, usingIndex }, ...given),
    usingIndex,
  };
}

const usingIndex = () => sql``;

function askOn(send: Send): Ask {
  return async (statement, options) => {
    const [answer] = await send([statement], options);
    return answer as QueryResult;
  };
}
