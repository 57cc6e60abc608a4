import { sharedTransactions } from '../../src/database/batching/shared-transactions.ts';
import type { Database, Transaction } from '../../src/database/database.ts';

/** Runs work as a write of a project does, without events; a signal gives it up. */
export function transact<T>(
  database: Database,
  work: (connection: Transaction) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const share = sharedTransactions<T, void>(database, { begin: async () => {}, end: () => {} });
  return share({ projectId: 'acme', chatbotIds: [] }, work, signal);
}
