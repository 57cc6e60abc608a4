import type { ContactWrites } from '../contacts/store.ts';
import { deleteFrom } from './contact-keys.ts';
import { type ContactRow, copiedColumns, toContact, wholeColumns } from './contact-rows.ts';
import type { Transaction } from './database.ts';
import { forgetDismissed } from './duplicates.ts';
import { purgeMerged } from './merged-contacts.ts';
import { changedInSlices, inSlices } from './slices.ts';
import { inList, type Sql, sql } from './sql.ts';

type BinWrites = Pick<ContactWrites, 'hasDeleted' | 'findDeleted' | 'takeOut' | 'purgeDeleted'>;

export function binWrites(connection: Transaction, binDays: number): BinWrites {
  return {
    hasDeleted: async (projectId, chatbotId) => {
      const row = await connection.first(
        sql`select id from deleted_contacts where project_id = ${projectId} and chatbot_id = ${chatbotId} limit 1`,
      );
      return row !== undefined;
    },
    findDeleted: async (projectId, chatbotId, contactIds) => {
      if (binDays === 0) return [];
      const rows = await connection.all<ContactRow>(
        sql`select ${wholeColumns} from deleted_contacts
          where project_id = ${projectId} and ${among(chatbotId, contactIds)}`,
      );
      return rows.map(toContact);
    },
    takeOut: async (...whom) => void (await deleteFrom(connection, sql`deleted_contacts`, ...whom)),
    purgeDeleted: async (...whom) => {
      const [projectId, chatbotId, contactIds] = whom;
      await connection.leaveNoTrace();
      const inBin = await inSlices(contactIds, (some) =>
        connection.all<{ id: string }>(
          sql`select id from deleted_contacts where project_id = ${projectId} and ${among(chatbotId, some)}`,
        ),
      );
      await deleteFrom(connection, sql`deleted_contacts`, ...whom);
      const gone = [...inBin.map(({ id }) => id), ...(await purgeMerged(connection, ...whom))];
      await forgetDismissed(connection, projectId, chatbotId, [...contactIds, ...gone]);
      return gone;
    },
  };
}

export async function copyToBin(
  connection: Transaction,
  projectId: string,
  chatbotId: string,
  contactIds: readonly string[],
  at: string,
): Promise<void> {
  // An older program, which knows no bin, may have created a contact whose id is in the bin.
  await deleteFrom(connection, sql`deleted_contacts`, projectId, chatbotId, contactIds);
  await changedInSlices(contactIds, (some) =>
    connection.run(
      sql`insert into deleted_contacts (project_id, ${copiedColumns}, deleted_at)
        select project_id, ${copiedColumns}, ${at} from contacts
        where project_id = ${projectId} and ${among(chatbotId, some)}`,
    ),
  );
}

function among(chatbotId: string, contactIds: readonly string[]): Sql {
  return sql`chatbot_id = ${chatbotId} and id in ${inList(contactIds)}`;
}
