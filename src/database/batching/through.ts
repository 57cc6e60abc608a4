import type { Transaction } from '../database.ts';

const statements = ['all', 'first', 'run', 'insertAll', 'search', 'script', 'unindex', 'leaveNoTrace'] as const;

type Statements = Pick<Transaction, (typeof statements)[number]>;

/** The same connection, but `around` runs each statement: it may wait, refuse the statement or change its error. */
export function through<Own extends Statements>(own: Own, around: <T>(ask: () => Promise<T>) => Promise<T>): Own {
  const wrapped: Record<string, unknown> = { ...own };
  for (const name of statements) {
    const ask = own[name] as (...given: unknown[]) => Promise<unknown>;
    wrapped[name] = (...given: unknown[]) => around(() => ask(...given));
  }
  return wrapped as unknown as Own;
}
