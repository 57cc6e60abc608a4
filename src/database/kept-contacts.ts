import { byChatbot } from '../contacts/in-project.ts';
import { type Former, replacedIn } from '../contacts/merging/plan.ts';
import type { ReplacedValues } from '../contacts/merging/store.ts';
import type { ContactReads, ContactRef, Kept } from '../contacts/store.ts';
import { eachInTurn, giveWay } from '../values/give-way.ts';
import { chatbotsAmong, contactsUnder, keyColumn, keyOf } from './contact-keys.ts';
import { type ContactRow, toContact, wholeColumns } from './contact-rows.ts';
import type { Connection } from './database.ts';
import { atOnce, type Turn, turnOf } from './look-up-turns.ts';
import { mergedWith } from './merged-rows.ts';
import { inSlices } from './slices.ts';
import { inList, type Sql, sql } from './sql.ts';

export function keptReads(access: Connection): Pick<ContactReads, 'kept' | 'findKept'> {
  return {
    kept: (projectId, places, caller) => {
      // One place may have tens of thousands that were merged into it.
      const turn = caller ? turnOf(projectId, caller) : atOnce;
      return turn.take(() => keptOf(access, projectId, places, turn));
    },
    findKept: async (projectId, kind, value, caller = {}) => {
      const key = keyOf[kind](value);
      if (key === '') return [];
      const chatbots = await chatbotsAmong(access, projectId, undefined);
      const turn = turnOf(projectId, caller);
      const live = await contactsUnder(access, projectId, chatbots, kind, [key], turn);
      const hasKey = sql`${keyColumn[kind]} = ${key}`;
      const hadKey = kind === 'external_id' ? sql`(${hasKey} or alias = ${key})` : hasKey;
      return [
        ...live.map(({ chatbot_id, id }) => ({ chatbot_id, id })),
        ...(await placesIn(access, projectId, sql`deleted_contacts`, hasKey)),
        ...(await placesIn(access, projectId, sql`merged_contacts`, hadKey)),
        ...(await placesOfReplaced(access, projectId, kind, key)),
      ];
    },
  };
}

async function keptOf(access: Connection, projectId: string, places: readonly ContactRef[], turn: Turn): Promise<Kept> {
  const kept: Kept = { contacts: [], deleted: [], merged: [], replaced: [] };
  for (const [chatbotId, ids] of byChatbot(places)) {
    const merged = await mergedWith(access, projectId, chatbotId, ids);
    const all = [...new Set([...ids, ...merged.map(({ id }) => id)])];
    // Not by `push(...)`: a call takes some 100,000 arguments at most.
    kept.merged = kept.merged.concat(merged);
    kept.contacts = kept.contacts.concat(await contactsUnder(access, projectId, [chatbotId], 'id', ids));
    turn.throwIfGivenUp();
    kept.deleted = kept.deleted.concat(await deletedAmong(access, projectId, chatbotId, ids));
    kept.replaced = kept.replaced.concat(await replacedOf(access, projectId, chatbotId, all));
  }
  return kept;
}

async function deletedAmong(
  connection: Connection,
  projectId: string,
  chatbotId: string,
  contactIds: readonly string[],
): Promise<Kept['deleted']> {
  const rows = await inSlices(contactIds, (some) =>
    connection.all<ContactRow>(
      sql`select chatbot_id, ${wholeColumns}, deleted_at from deleted_contacts
        where project_id = ${projectId} and chatbot_id = ${chatbotId} and id in ${inList(some)}`,
    ),
  );
  return eachInTurn(rows, (row) => toContact(row) as Kept['deleted'][number]);
}

/** Rows that one statement looks through: some milliseconds. */
const lookedThrough = 5_000;

/** The bin and merged contacts have no index by these keys, as every deletion and merge would pay for it. */
async function placesIn(connection: Connection, projectId: string, table: Sql, condition: Sql): Promise<ContactRef[]> {
  const found: ContactRef[] = [];
  for (let from: ContactRef | undefined = { chatbot_id: '', id: '' }; from;) {
    const beyond: Sql = sql`project_id = ${projectId} and (chatbot_id, id) > (${from.chatbot_id}, ${from.id})`;
    const end: ContactRef | undefined = await connection.first<ContactRef>(
      sql`select chatbot_id, id from ${table} where ${beyond} order by chatbot_id, id limit 1 offset ${lookedThrough - 1}`,
    );
    const upTo = end ? sql`and (chatbot_id, id) <= (${end.chatbot_id}, ${end.id})` : sql``;
    const rows = await connection.all<ContactRef>(
      sql`select chatbot_id, id from ${table} where ${beyond} ${upTo} and ${condition}`,
    );
    found.push(...rows);
    from = end;
    await giveWay();
  }
  return found;
}

function replacedOf(
  connection: Connection,
  projectId: string,
  chatbotId: string,
  contactIds: readonly string[],
): Promise<ReplacedValues[]> {
  return inSlices(contactIds, (some) =>
    connection.all<ReplacedValues>(
      sql`select chatbot_id, contact_id, merged_at, former from merges
        where project_id = ${projectId} and chatbot_id = ${chatbotId} and contact_id in ${inList(some)}
          and former is not null order by merged_at, id`,
    ),
  );
}

const mergesLookedThrough = 500;

async function placesOfReplaced(
  connection: Connection,
  projectId: string,
  kind: keyof typeof keyOf,
  key: string,
): Promise<ContactRef[]> {
  const found: ContactRef[] = [];
  let from = { chatbot_id: '', merged_at: '', id: '' };
  for (;;) {
    const rows = await connection.all<ReplacedValues & ContactRef>(
      sql`select chatbot_id, merged_at, id, contact_id, former from merges
        where project_id = ${projectId} and former is not null
          and (chatbot_id, merged_at, id) > (${from.chatbot_id}, ${from.merged_at}, ${from.id})
        order by chatbot_id, merged_at, id limit ${mergesLookedThrough}`,
    );
    for (const { chatbot_id, contact_id, former } of rows) {
      const { [kind]: value } = replacedIn(JSON.parse(former) as Former);
      if (typeof value === 'string' && keyOf[kind](value) === key) found.push({ chatbot_id, id: contact_id });
    }
    const last = rows.at(-1);
    if (!last || rows.length < mergesLookedThrough) return found;
    from = last;
    await giveWay();
  }
}
