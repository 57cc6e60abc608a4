import type { BulkItem } from '../../contacts/bulk-items.ts';
import { bulkContacts, type BulkOutput } from '../../contacts/bulk.ts';
import { searchContacts } from '../../contacts/search.ts';
import { confirmBy } from '../confirm.ts';
import { Exit, exitCodes, UsageError } from '../failures.ts';
import { counted, note, printResult } from '../output.ts';
import { type Flags, option } from '../parts.ts';
import { type CommandPlace, inChatbot, type InChatbot } from '../places.ts';
import type { Here } from '../plain.ts';
import { progress } from '../progress.ts';
import { untilInterrupted } from '../signals.ts';
import { conditionsOf, whereOption } from './conditions.ts';

export type Many = Flags<InChatbot & { contactId?: string; where?: string[]; yes?: boolean }>;

export const oneOrMany: CommandPlace<InChatbot & { contactId?: string; where?: string[] }, { chatbotId: string }> = {
  ...inChatbot,
  args: { '[contact-id]': 'its id, as "contacts list" shows it; or --where' },
  find: (store, given) => {
    if ((given.contactId === undefined) === (given.where === undefined)) {
      throw new UsageError('Say whom: give the id of a contact, or --where.');
    }
    return inChatbot.find(store, given);
  },
};

export const manyOptions = [whereOption, option('--yes', 'with --where, do not ask for the number of contacts')];

const itemsOfStep = 100;
const namedMax = 20;

interface Deed {
  /** A sentence about so many contacts, without its full stop. */
  says: (contacts: string) => string;
  done: 'changed' | 'deleted';
  itemOf: (id: string) => BulkItem;
}

/** In the order of search, once the number of contacts is confirmed. It may be run again. */
export async function toMany(
  { ask }: Here<{ chatbotId: string }>,
  given: Many,
  { says, done, itemOf }: Deed,
): Promise<void> {
  const where = conditionsOf(given.where);
  const { count } = await ask(searchContacts, { where, count: true, limit: 1 });
  const { value = 0, exact = true } = count ?? {};
  if (value > 0) {
    const { contacts, typed, called } = confirmationOf(value, exact);
    await confirmBy(typed, says(contacts), given, done, called);
  }
  const bar = progress(exact ? value : undefined);
  const told = { done: 0, unchanged: 0, failed: 0 };
  const stopped = 'Stopped; what is done stays done. Run it again to go on.';
  try {
    await untilInterrupted(stopped, async (onStep) => {
      for (let cursor = value > 0 ? '*' : null; cursor !== null;) {
        const page: Awaited<ReturnType<typeof searchContacts.run>> = await ask(searchContacts, {
          where,
          cursor,
          limit: itemsOfStep,
        });
        const items = page.contacts.map((one) => itemOf(String(one['id'])));
        if (items.length > 0) tell(told, await ask(bulkContacts, { items }));
        bar.update(told.done + told.unchanged + told.failed, told.done);
        cursor = page.next_cursor;
        onStep();
      }
    });
  } finally {
    bar.end();
  }
  printResult(told, given);
  if (told.failed > 0) throw new Exit(exitCodes.badData);
}

/** Without an exact count, which search limits, the answer to type is "all". */
export function confirmationOf(value: number, exact: boolean) {
  if (!exact) return { contacts: `more than ${value.toLocaleString('en')} contacts`, typed: 'all', called: '"all"' };
  return { contacts: counted(value, 'contact', 'contacts'), typed: String(value), called: 'the number of contacts' };
}

function tell(told: Record<'done' | 'unchanged' | 'failed', number>, { results }: BulkOutput): void {
  for (const { outcome, id, code, message } of results) {
    // Somebody else has deleted or merged it meanwhile.
    const isGone = code === 'not_found' || code === 'merged';
    if (outcome === 'unchanged' || isGone) told.unchanged++;
    else if (outcome !== 'failed') told.done++;
    else if (told.failed++ < namedMax) note(`${id ?? 'a contact'}: ${message ?? code}`);
  }
}
