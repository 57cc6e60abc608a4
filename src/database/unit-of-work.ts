import type { OnAsked, Reads, Store, UnitOfWork } from '../store.ts';
import { apiKeyReads, apiKeyWrites } from './api-keys.ts';
import { chatbotReads, chatbotWrites, type KnownChatbots, knownChatbots } from './chatbots.ts';
import { contactReads, contactWrites } from './contacts.ts';
import type { Access, Database, Transaction } from './database.ts';
import { eventReads, type Recorded, recordEvents } from './events.ts';
import { idempotencyKeys } from './idempotency.ts';
import { instrumented } from './instrumented.ts';
import { memberReads, memberWrites } from './members.ts';
import { projectReads, projectWrites } from './projects.ts';
import { sharedTransactions } from './shared-transactions.ts';

export function unitsOfWork(database: Database, onAsked: OnAsked, binDays: number): Store['write'] {
  const queues = new Map<string, ReturnType<typeof sharedTransactions<Part, KnownChatbots>>>();
  const queueOf = (name: string) => {
    const begin = async (connection: Transaction) => {
      // On PostgreSQL a write takes the lock of its chatbot first, as imports do: two processes never wait for each other.
      const known = knownChatbots(connection);
      if (name === oneForAll) return known;
      const [projectId, chatbotId] = JSON.parse(name) as [string, string];
      // One round trip.
      await Promise.all([
        connection.alone(`contacts of ${projectId}/${chatbotId}`),
        known.reads.find(projectId, chatbotId),
      ]);
      return known;
    };
    const queue =
      queues.get(name) ?? sharedTransactions(database, { begin, end: recordAll }, () => void queues.delete(name));
    queues.set(name, queue);
    return queue;
  };
  return async (actor, work, signal, queue) => {
    const { projectId } = actor;
    const part = async (connection: Transaction, known?: KnownChatbots): Promise<Part> => {
      const { output, changes } = await work(instrumented(unitOn(connection, binDays, known), onAsked));
      return { output, changes, actor };
    };
    const name = database.engine === 'sqlite' ? oneForAll : queue && JSON.stringify([projectId, queue]);
    if (name !== undefined) return (await queueOf(name)(projectId, part, signal)).output as never;
    const alone = async (connection: Transaction) => {
      const done = await part(connection);
      await recordEvents(connection, projectId, [done]);
      return done.output as never;
    };
    return database.of(projectId).transaction(alone, signal);
  };
}

/** SQLite has one writer for all projects. */
const oneForAll = '';

interface Part extends Recorded {
  output: unknown;
}

async function recordAll(connection: Transaction, parts: readonly Part[]): Promise<void> {
  for (const [projectId, own] of Map.groupBy(parts, ({ actor }) => actor.projectId)) {
    await recordEvents(connection, projectId, own);
  }
}

export function readsOn(access: Access): Reads {
  return {
    projects: projectReads(access),
    chatbots: chatbotReads(access),
    members: memberReads(access),
    contacts: contactReads(access),
    apiKeys: apiKeyReads(access),
    events: eventReads(access),
  };
}

function unitOn(connection: Transaction, binDays: number, known?: KnownChatbots): UnitOfWork {
  const reads = readsOn({ ...connection, of: () => connection, durable: async () => undefined });
  return {
    ...reads,
    projects: { ...reads.projects, ...projectWrites(connection) },
    chatbots: { ...reads.chatbots, ...known?.reads, ...chatbotWrites(connection, known?.forget) },
    members: { ...reads.members, ...memberWrites(connection) },
    contacts: { ...reads.contacts, ...contactWrites(connection, binDays) },
    apiKeys: { ...reads.apiKeys, ...apiKeyWrites(connection) },
    idempotency: idempotencyKeys(connection),
  };
}
