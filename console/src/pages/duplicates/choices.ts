import { useState } from 'preact/hooks';

import { roster } from '../../api.ts';
import { useQuery } from '../../query.ts';
import { useSession } from '../../session.tsx';
import { fieldsOf } from '../contact/values.ts';
import type { WholePerson } from '../contacts/person.ts';
import type { Group } from './groups.ts';

/** These go with the name. */
const partsOfName = new Set(['first_name', 'last_name']);

/** What somebody has chosen so far, and what would come of it. */
export function useChoices({ chatbotId, band }: Group, people: readonly WholePerson[]) {
  const mayWrite = useSession().can('contacts:write');
  const [stays, setStays] = useState(() => people.toSorted(byKnowledge)[0]?.id ?? '');
  const [keep, setKeep] = useState<Readonly<Record<string, string>>>({});
  const ids = people.map(({ id }) => id);
  // Of several who are only likely to be one, somebody says who is.
  const [same, setSame] = useState(band === 'certain' || ids.length === 2 ? ids : []);
  const isIn = (id: string) => id === stays || same.includes(id);
  const kept = Object.entries(keep).filter(([, id]) => isIn(id));
  const from = same.filter((id) => id !== stays);
  const merge = { chatbotId, contactId: stays, from, keep: Object.fromEntries(kept) };
  const isReady = mayWrite && from.length > 0;
  const plan = useQuery(['contacts', 'merge', JSON.stringify(merge)], async (signal) =>
    isReady ? roster.mergeContacts({ ...merge, dry_run: true }, { signal }) : undefined,
  );
  return { people, mayWrite, setStays, setKeep, ids, setSame, isIn, merge, isReady, plan };
}

/** The fields of a merge in which anything is known. */
export const knownIn = (people: readonly WholePerson[]) => fieldsOf(people).filter((field) => !partsOfName.has(field));

/** Those who know more come first, and of those who know as much the oldest. */
function byKnowledge(a: WholePerson, b: WholePerson): number {
  return knownIn([b]).length - knownIn([a]).length || (a.created_at < b.created_at ? -1 : 1);
}
