import type { OnAsked, Reads, Store, UnitOfWork } from '../store.ts';
import { apiKeyReads, apiKeyWrites } from './api-keys.ts';
import { chatbotReads, chatbotWrites } from './chatbots.ts';
import { contactReads, contactWrites } from './contacts.ts';
import type { Access, Database, Transaction } from './database.ts';
import { eventReads, recordEvents } from './events.ts';
import { idempotencyKeys } from './idempotency.ts';
import { instrumented } from './instrumented.ts';
import { memberReads, memberWrites } from './members.ts';
import { projectReads, projectWrites } from './projects.ts';

export function unitsOfWork(database: Database, onAsked: OnAsked, binDays: number): Store['write'] {
  return (actor, work, signal) =>
    database.of(actor.projectId).transaction(async (connection) => {
      const { output, changes } = await work(instrumented(unitOn(connection, binDays), onAsked));
      await recordEvents(connection, actor, changes);
      return output;
    }, signal);
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

function unitOn(connection: Transaction, binDays: number): UnitOfWork {
  const reads = readsOn({ ...connection, of: () => connection });
  return {
    ...reads,
    projects: { ...reads.projects, ...projectWrites(connection) },
    chatbots: { ...reads.chatbots, ...chatbotWrites(connection) },
    members: { ...reads.members, ...memberWrites(connection) },
    contacts: { ...reads.contacts, ...contactWrites(connection, binDays) },
    apiKeys: { ...reads.apiKeys, ...apiKeyWrites(connection) },
    idempotency: idempotencyKeys(connection),
  };
}
