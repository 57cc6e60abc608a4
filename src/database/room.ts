import type { ContactWrites } from '../contacts/store.ts';
import { unlimited } from '../projects/project.ts';
import type { KnownChatbots } from './chatbots.ts';
import type { Transaction } from './database.ts';
import { contactUsage, projectWrites } from './projects.ts';

export function roomFor(
  connection: Transaction,
  { contactsMax, added }: Pick<KnownChatbots, 'contactsMax' | 'added'>,
): ContactWrites['room'] {
  return async (projectId, chatbotId) => {
    if ((await contactsMax(projectId, chatbotId)) === unlimited) return Infinity;
    // Two statements: only one that begins after the lock is held sees what the holder before has added.
    const [, usage] = await Promise.all([
      projectWrites(connection).findForUpdate(projectId),
      contactUsage(connection, projectId),
    ]);
    return usage ? usage.max - usage.used - (added.get(projectId) ?? 0) : Infinity;
  };
}
