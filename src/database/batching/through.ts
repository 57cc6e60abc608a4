import type { Transaction } from '../database.ts';

const statements = ['all', 'first', 'run', 'insertAll', 'search', 'script', 'unindex', 'leaveNoTrace'] as const;

type Statements = Pick<Transaction, (typeof statements)[number]>;

/** The same connection, each of whose statements goes through `around`, which may wait, refuse or change its error. */
export function through<Own extends Statements>(own: Own, around: <T>(ask: () => Promise<T>) => Promise<T>): Own {
  const wrapped = statements.map((name) => {
    const ask = own[name] as (...given: unknown[]) => Promise<unknown>;
    return [name, (...given: unknown[]) => around(() => ask(...given))];
  });
  return { ...own, ...(Object.fromEntries(wrapped) as Statements) };
}
