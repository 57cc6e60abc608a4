import { contactFields } from '../../contacts/contact.ts';
import type { ContactSearch } from '../../contacts/store.ts';
import { foldingVersion } from '../../contacts/words.ts';
import { AppError } from '../../errors.ts';
import { wholeColumns } from '../contact-rows.ts';
import type { Connection } from '../database.ts';
import { inList, raw, type Sql, sql } from '../sql.ts';

export interface Asking {
  connection: Pick<Connection, 'all' | 'usingIndex'>;
  projectId: string;
  search: ContactSearch;
  columns: Sql;
}

const searched = ['external_id', 'tags', 'industry', 'city', 'state', 'country', 'attributes', 'updated_at'];
const shownAndSearched = raw([...contactFields, ...searched].join(', '));

export function foundColumns(isWhole: boolean): Sql {
  return isWhole ? sql`chatbot_id, ${wholeColumns}, place` : sql`chatbot_id, ${shownAndSearched}, place`;
}

/** Its `unindexed` is null where all contacts of these chatbots, or of the project, are in the index. */
export function indexState(connection: Asking['connection'], projectId: string, chatbotIds?: readonly string[]): Sql {
  return sql`select folding, (
      select id from contacts ${connection.usingIndex('contacts_unindexed')}
      where project_id = ${projectId} ${amongChatbots(chatbotIds)} and search_key is null limit 1
    ) as unindexed
    from search_state`;
}

export function amongChatbots(chatbotIds?: readonly string[]): Sql {
  return chatbotIds ? sql`and chatbot_id in ${inList(chatbotIds)}` : sql``;
}

export interface IndexState {
  folding: number;
  unindexed: string | null;
}

export function requireIndexed(state: IndexState | undefined): void {
  if (state?.folding === foldingVersion && state.unindexed === null) return;
  throw new AppError(
    'unavailable',
    'The contacts are being indexed for search; try again later, or run "roster migrate", which does it at once.',
  );
}

/** Places between these, both included. */
export interface Places {
  from: number;
  to: number;
}

export const allPlaces: Places = { from: Number.MIN_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER };

export function beyond(place: number | undefined, { from, to }: Places, order: ContactSearch['order']): Places {
  if (place === undefined) return { from, to };
  return order === 'newest' ? { from, to: place - 1 } : { from: place + 1, to };
}
