import { emailKey } from '../../values/email.ts';
import type { StoredContact } from '../contact.ts';
import { isOtherEmail } from './aliases.ts';
import type { Change, Given } from './given.ts';
import type { WorkingSet } from './working-set.ts';

/** Adapts a change of a contact that an alias found, or that others were merged into: their values must survive. */
export function throughAliases(
  set: WorkingSet,
  change: Change,
  known: StoredContact,
  isAlias: boolean,
): Pick<Change, 'given' | 'mode'> {
  const { op, mode, given } = change;
  if (mode === 'set') return op === 'upsert' ? { mode, given: withoutAliases(set, given, known) } : change;
  if (isAlias) return { mode: 'complete', given: filling(known, given) };
  if (!set.aliases.areOf(known.id)) return change;
  return { mode: 'complete', given: clearingNothing(given) };
}

function withoutAliases(set: WorkingSet, given: Given, { id, email: known }: StoredContact): Given {
  const texts = { ...given.texts };
  const isAlias = (key: string) => set.aliases.targetsOf(key).includes(id);
  if (isOtherEmail(known, given) && isAlias(`email:${emailKey(texts.email ?? '')}`)) delete texts.email;
  const externalId = `external_id:${texts.external_id}`;
  if (texts.external_id != null && isAlias(externalId) && set.idsAt(externalId).length === 0) delete texts.external_id;
  return { ...given, texts };
}

const nameParts: ReadonlySet<string> = new Set(['name', 'first_name', 'last_name']);

/** Keeps given values of empty fields; a name and its parts are one field. A digest stays with the contact that its row created. */
function filling(before: StoredContact, { texts, attributes, tags }: Given): Given {
  const isNamed = before.name !== null;
  const isEmpty = (name: string) => before[name as keyof StoredContact] === null && !(isNamed && nameParts.has(name));
  const news = Object.entries(texts).filter(([name]) => name !== 'import_digest' && isEmpty(name));
  const more = Object.entries(attributes ?? {}).filter(([name]) => !Object.hasOwn(before.attributes, name));
  return {
    texts: Object.fromEntries(news),
    ...(more.length > 0 && { attributes: Object.fromEntries(more) }),
    ...(before.tags.length === 0 && tags && { tags }),
  };
}

/** Takes no value away: where others were merged into a contact, its values may be theirs. */
export function clearingNothing({ texts, attributes, tags }: Given): Given {
  const known = Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== null));
  const added = Array.isArray(tags) ? { add: tags as readonly string[] } : undefined;
  return { texts: known, ...(attributes && { attributes }), ...(added && { tags: added }) };
}
