import { hash } from 'node:crypto';

import type { QueryConfig, QueryResult } from 'pg';

import type { Connection, Database, Insertion, Scope, Transaction } from '../database.ts';
import { type Sql, sql, type Value } from '../sql.ts';
import { readHosts } from './hosts.ts';
import { openPool, type Pool, type Send } from './pool.ts';

export interface PostgresOptions {
  /** Whether somebody waits for every answer, so that what does not come soon is given up. */
  serving?: boolean;
  /** Whether the role is bound by row security, and so must name the project of what it asks. */
  rowSecurity?: boolean;
}

const patient = { connectTimeoutMs: 5_000 };
/** A statement so waits for two and a half seconds at most, connecting included. */
const impatient = {
  connectTimeoutMs: 1_000,
  lockTimeoutMs: 400,
  statementTimeoutMs: 1_400,
  deadlineMs: 1_500,
};

/** Opens the database at `url`; connects with the first statement. */
export function openPostgres(
  url: string,
  { serving = false, rowSecurity = false }: PostgresOptions = {},
): Database {
  const pool = openPool(readHosts(url), serving ? impatient : patient);
  const isAnalysisDue = analysisPlan();
  const connection = connectionOn((statement) => sendOne(pool.send, statement), isAnalysisDue);
  const transact = transactor(pool, isAnalysisDue);
  const whole: Scope = { ...connection, transaction: (work) => transact([begin], work) };
  /** The project is set for one transaction: four statements on one connection, in one round trip. */
  const only = (projectId: string): Scope => {
    const setting = statementOf(sql`select set_config('roster.project_id', ${projectId}, true)`);
    const ask: Ask = async (statement) => {
      const answers = await pool.send([begin, setting, statement, commit]);
      return answers[2] as QueryResult;
    };
    return {
      ...connectionOn(ask, isAnalysisDue),
      transaction: (work) => transact([begin, setting], work),
    };
  };
  return {
    ...whole,
    engine: 'postgres',
    version: () => undefined,
    identity: async () => {
      const found = await connection.first<{ identity: string }>(sql`
        select concat_ws(' ', extract(epoch from pg_postmaster_start_time()), oid) as identity
        from pg_database where datname = current_database()`);
      return found?.identity ?? '';
    },
    state: () => ({ pools: pool.state() }),
    of: (projectId) => (rowSecurity ? only(projectId) : whole),
    script: async (text) => void (await pool.send([{ text }])),
    hasTable: async (name) =>
      (await connection.first(sql`select 1 from pg_catalog.pg_class where oid = to_regclass(${name})`)) !==
      undefined,
    snapshot: (work) => transact([{ text: 'begin isolation level repeatable read read only' }], work),
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  };
}

type Ask = (statement: QueryConfig) => Promise<QueryResult>;
type IsAnalysisDue = ReturnType<typeof analysisPlan>;

const begin = { text: 'begin' };
const commit = { text: 'commit' };
/** A change of a table that waits for its lock keeps everybody who reads it waiting behind. */
const brieflyLocked = { text: "set local lock_timeout = '2s'" };
/** What a transaction asks is about many rows at once: how many there are decides how they are found. */
const planEachTime = { text: 'set local plan_cache_mode = force_custom_plan' };

function transactor(pool: Pool, isAnalysisDue: IsAnalysisDue) {
  return <T>(beginning: readonly QueryConfig[], work: (connection: Transaction) => Promise<T>): Promise<T> =>
    pool.lend(async (send) => {
      try {
        await send([...beginning, planEachTime]);
        const result = await work(transactionOn(send, isAnalysisDue));
        const [done] = await send([commit]);
        // Which is how PostgreSQL answers where a statement failed and nobody minded.
        if (done?.command !== 'COMMIT') throw new Error('the transaction was rolled back');
        return result;
      } catch (error) {
        // On a connection that is gone the server has rolled back by itself.
        await send([{ text: 'rollback' }]).catch(() => undefined);
        throw error;
      }
    });
}

function transactionOn(send: Send, isAnalysisDue: IsAnalysisDue): Transaction {
  const connection = connectionOn((statement) => sendOne(send, statement), isAnalysisDue);
  return {
    ...connection,
    script: async (text) => void (await send([brieflyLocked, { text }])),
    alone: async (name) => void (await connection.first(lock(name))),
  };
}

function lock(name: string): Sql {
  return sql`select pg_advisory_xact_lock(hashtextextended(${`roster ${name}`}, 0))`;
}

function connectionOn(ask: Ask, isAnalysisDue: IsAnalysisDue): Connection {
  const all = async <Row>(query: Sql): Promise<Row[]> => {
    // Rows come as the statement names them; its author and the store's tests answer for the type.
    const { rows } = await ask(statementOf(query));
    return rows as Row[];
  };
  return {
    all,
    first: async <Row>(query: Sql) => (await all<Row>(query))[0],
    run: async (statement) => (await ask(statementOf(statement))).rowCount ?? 0,
    insertAll: async (insertion, rows) => {
      if (rows.length > 0) await ask(insertionOf(insertion, rows));
      const { into, foundBy } = insertion;
      if (isAnalysisDue(into, rows.length)) await ask({ text: `analyze ${into} (${foundBy.join(', ')})` });
    },
    usingIndex: () => sql``,
  };
}

async function sendOne(send: Send, statement: QueryConfig): Promise<QueryResult> {
  const [answer] = await send([statement]);
  return answer as QueryResult;
}

const analysisEveryMin = 5_000;

/**
 * PostgreSQL finds rows by what it knows of their number, and after a first import it knows nothing until it
 * has looked: an import would slow down from thirty thousand rows a second to one. So it is told to look
 * after 5,000 rows, and each time they have doubled.
 */
function analysisPlan(): (table: string, inserted: number) => boolean {
  const tables = new Map<string, { since: number; total: number }>();
  return (table, inserted) => {
    const { since, total } = tables.get(table) ?? { since: 0, total: 0 };
    const now = { since: since + inserted, total: total + inserted };
    const isDue = now.since >= Math.max(analysisEveryMin, total - since);
    tables.set(table, isDue ? { since: 0, total: now.total } : now);
    return isDue;
  };
}

/** One statement for any number of rows: a column of values each is one parameter. */
function insertionOf({ into, columns, ending }: Insertion, rows: readonly (readonly Value[])[]): QueryConfig {
  const values = columns.map((_, index) => rows.map((row) => row[index] ?? null));
  const sources = values.map((column, index) => `$${index + 1}::${arrayType(column)}`).join(', ');
  const names = columns.join(', ');
  const text = `insert into ${into} (${names}) select * from unnest(${sources}) ${ending.pieces.join('')}`;
  return { name: nameOf(text), text, values };
}

function arrayType(values: readonly Value[]): string {
  return values.some((value) => typeof value === 'number') ? 'integer[]' : 'text[]';
}

interface Named {
  name?: string | undefined;
  text: string;
}

// A template without parts is the same array each time, so its text is put together and named once.
const statements = new WeakMap<readonly string[], Named>();

function statementOf({ pieces, values }: Sql): QueryConfig {
  let statement = statements.get(pieces);
  if (!statement) {
    const text = pieces.reduce((all, piece, index) => `${all}$${index}${piece}`);
    statement = { name: nameOf(text), text };
    statements.set(pieces, statement);
  }
  return { ...statement, values: values as Value[] };
}

const namesMax = 500;
const names = new Map<string, string>();

/**
 * The name under which a connection prepares the statement once; the few hundred texts of the program fit. It
 * is made of the text: behind a pooler that mixes up connections, another process's name never means another text.
 */
function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= namesMax) return known;
  const name = `roster_${hash('sha256', text, 'hex').slice(0, 32)}`;
  names.set(text, name);
  return name;
}
