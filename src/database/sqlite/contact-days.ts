import { chatbotTerm } from '../search/terms.ts';
import { type Asking, type Owner } from './contact-index.ts';
import { beginningOf, inOrder, late, type Place } from './contact-places.ts';

/** The state of a day that adding contacts needs. */
export interface Day {
  day: number;
  /** The newest contact that the new ones must follow to have the order of lists. */
  created_at: string | null;
  id: string | null;
  last_in_order: Place | null;
  last_late: Place | null;
}

const lastPlaces = `
  (select max(search_key) from indexed_contacts where search_key between in_order_from and in_order_to) as last_in_order,
  (select max(search_key) from indexed_contacts where search_key between late_from and late_to) as last_late`;
const daysAsked = `select value ->> 'day' as day, value ->> 'until' as until,
  value ->> 'inOrderFrom' as in_order_from, value ->> 'inOrderTo' as in_order_to,
  value ->> 'lateFrom' as late_from, value ->> 'lateTo' as late_to from json_each(?)`;

function asked(days: readonly number[]): string {
  return JSON.stringify(
    days.map((day) => {
      const [{ from: inOrderFrom, to: inOrderTo }, { from: lateFrom, to: lateTo }] = [inOrder(day), late(day)];
      return { day, until: beginningOf(day + 1), inOrderFrom, inOrderTo, lateFrom, lateTo };
    }),
  );
}

function newestOf(column: string): string {
  return `(
    select ${column} from contacts indexed by contacts_by_age
    where project_id = ? and chatbot_id = ? and created_at < until order by created_at desc, id desc limit 1
  ) as ${column}`;
}

/** With the newest contact of the chatbot up to the end of each day. */
export function daysStored({ all }: Asking, owner: Owner, days: readonly number[]): Day[] {
  const text = `select day, ${newestOf('created_at')}, ${newestOf('id')}, ${lastPlaces} from (${daysAsked})`;
  return all(text, ...owner, ...owner, asked(days));
}

/** With the newest of those of each day that are in the index in order. */
export function daysIndexed({ all }: Asking, owner: Owner, days: readonly number[]): Day[] {
  const text = `select day, newest.created_at, newest.id, ${lastPlaces} from (
      select *, (
        select rowid from contact_words where contact_words match ? and rowid between in_order_from and in_order_to
        order by rowid desc limit 1
      ) as newest_place from (${daysAsked})
    ) left join indexed_contacts on indexed_contacts.search_key = newest_place
    left join contacts as newest on project_id = ? and chatbot_id = ? and newest.id = contact_id`;
  return all(text, `"${chatbotTerm(...owner)}"`, asked(days), ...owner);
}
