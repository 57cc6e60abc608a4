import type { UnitOfWork } from '../../store.ts';
import { eachInTurn, giveWay } from '../../values/give-way.ts';
import type { StoredContact } from '../contact.ts';
import { duplicateKeysOf } from './keys.ts';
import { type DuplicateKeys, type DuplicatePair, type DuplicateWrites, type KeyField, keyFields } from './store.ts';

/** A value that more contacts share suggests nobody: it belongs to a family or an office, or is no name of a person. */
const sharersMax: Readonly<Record<KeyField, number>> = { email: 5, phone: 5, company: 20, domain: 20 };

/** In the order of the bits. */
const reasons = [
  { field: 'email', match: 'same' },
  { field: 'phone', match: 'same_digits' },
  { field: 'name', match: 'same_words' },
  { field: 'name', match: 'one_side' },
  { field: 'company', match: 'same' },
  { field: 'email_domain', match: 'same' },
] as const;

export function reasonsIn(bits: number) {
  return reasons.filter((_, place) => (bits & (1 << place)) !== 0);
}

export const contactsOfStep = 200;

const noneYet = () => new Map<number, DuplicateKeys[]>();
const nobody: readonly DuplicateKeys[] = [];

function openSharers(duplicates: DuplicateWrites, projectId: string, chatbotId: string) {
  const known = { email: noneYet(), phone: noneYet(), company: noneYet(), domain: noneYet() };
  const of = (field: KeyField, keys: DuplicateKeys) => known[field].get(keys[field]) ?? nobody;
  const loadBy = async (field: KeyField, all: readonly DuplicateKeys[]) => {
    const wanted = new Set(all.map((keys) => keys[field]).filter((value) => value !== 0));
    const values = [...wanted].filter((value) => !known[field].has(value));
    for (const value of values) known[field].set(value, []);
    const most = sharersMax[field] + contactsOfStep + 1;
    const found = await duplicates.keys(projectId, chatbotId, field, values, most);
    for (const keys of found) known[field].get(keys[field])?.push(keys);
  };
  return {
    of,
    load: (all: readonly DuplicateKeys[], fields: readonly KeyField[] = keyFields) =>
      Promise.all(fields.map((field) => loadBy(field, all))),
    few: (field: KeyField, keys: DuplicateKeys) => {
      const all = of(field, keys);
      return all.length > sharersMax[field] ? [] : all;
    },
  };
}

type Sharers = ReturnType<typeof openSharers>;

/** Whether a contact without a name may be any of several people: then no pair of it is certain. */
function isContested(keys: DuplicateKeys, { few }: Sharers): boolean {
  const names = [...few('email', keys), ...few('phone', keys)].map(({ name }) => name);
  return new Set(names.filter((name) => name !== 0)).size > 1;
}

function pairOf(a: DuplicateKeys, b: DuplicateKeys, sharers: Sharers): DuplicatePair | undefined {
  const isSame = (field: KeyField) => a[field] !== 0 && a[field] === b[field];
  const isOther = (field: KeyField) => a[field] !== 0 && b[field] !== 0 && a[field] !== b[field];
  const counts = (field: KeyField) => isSame(field) && sharers.few(field, a).length > 0;
  if (isOther('email') && isOther('phone')) return undefined;
  const isReached = counts('email') || counts('phone');
  if (!isReached && !counts('company') && !counts('domain')) return undefined;
  const isSameName = a.name !== 0 && a.name === b.name;
  const nameless = [a, b].filter(({ name }) => name === 0);
  const isCertain =
    isReached && (isSameName || (nameless.length > 0 && !nameless.some((keys) => isContested(keys, sharers))));
  const [one, other] = a.id < b.id ? [a, b] : [b, a];
  const isReason = [
    counts('email'),
    counts('phone'),
    isSameName,
    nameless.length === 1,
    isSameName && isSame('company'),
    isSameName && isSame('domain') && !isSame('email'),
  ];
  const bits = isReason.reduce((sum, is, place) => sum | (is ? 1 << place : 0), 0);
  return { one_id: one.id, other_id: other.id, band: isCertain ? 0 : 1, reasons: bits };
}

/** Compares contacts of a chatbot, and stores the pairs of all contacts whose pairs may change. */
export async function updatePairs(
  { contacts, duplicates }: Pick<UnitOfWork, 'contacts' | 'duplicates'>,
  projectId: string,
  chatbotId: string,
  ids: readonly string[],
): Promise<void> {
  const former = await duplicates.keys(projectId, chatbotId, 'contact_id', ids, 1);
  const present = await contacts.among(projectId, chatbotId, ids);
  const own = new Map((await eachInTurn(present, duplicateKeysOf)).map((keys) => [keys.id, keys]));
  await duplicates.saveKeys(projectId, chatbotId, [...own.values()]);
  const sharers = openSharers(duplicates, projectId, chatbotId);
  const touched = [...own.values(), ...former];
  await sharers.load(touched);
  const affected = new Map(own);
  for (const keys of touched) {
    for (const field of keyFields) {
      const others = sharers.of(field, keys).filter(({ id }) => !own.has(id));
      // A value that more share gave no pairs before, and gives none now.
      if (others.length <= sharersMax[field]) for (const other of others) affected.set(other.id, other);
    }
  }
  const pairs = await pairsOf([...affected.values()], sharers);
  await duplicates.savePairs(projectId, chatbotId, [...affected.keys()], pairs);
}

/** The ids of new contacts that look like a compared one. E-mails are left out, as an import would have matched them. */
export async function likeOthers(
  duplicates: UnitOfWork['duplicates'],
  projectId: string,
  chatbotId: string,
  added: readonly StoredContact[],
): Promise<Set<string>> {
  if (added.length === 0 || !(await duplicates.progress(projectId))) return new Set();
  const all = await eachInTurn(added, duplicateKeysOf);
  const sharers = openSharers(duplicates, projectId, chatbotId);
  const fields = ['phone', 'company', 'domain'] as const;
  await sharers.load(all, fields);
  const isAlike = (keys: DuplicateKeys) =>
    fields.some((field) => sharers.few(field, keys).some((other) => pairOf(keys, other, sharers) !== undefined));
  return new Set(all.filter(isAlike).map(({ id }) => id));
}

async function pairsOf(all: readonly DuplicateKeys[], sharers: Sharers): Promise<DuplicatePair[]> {
  await sharers.load(all);
  const near = all.flatMap((keys) => keyFields.flatMap((field) => sharers.few(field, keys)));
  await sharers.load(
    near.filter(({ name }) => name === 0),
    ['email', 'phone'],
  );
  const pairs = new Map<string, DuplicatePair>();
  for (const keys of all) {
    await giveWay();
    for (const other of new Set(keyFields.flatMap((field) => sharers.few(field, keys)))) {
      const pair = other.id === keys.id ? undefined : pairOf(keys, other, sharers);
      if (pair) pairs.set(`${pair.one_id}\n${pair.other_id}`, pair);
    }
  }
  return [...pairs.values()];
}
