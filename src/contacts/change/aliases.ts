import { AppError } from '../../errors.ts';
import { emailKey } from '../../values/email.ts';
import type { StoredContact } from '../contact.ts';
import type { Alias } from '../merging/store.ts';
import type { ChatbotRef, ContactWrites } from '../store.ts';
import type { Change, Given } from './given.ts';
import { keysOf, keysToLoad } from './keys.ts';

/** The keys of merged contacts. Each leads to the contact that stays. */
export class Aliases {
  readonly #chatbotId: string;
  readonly #targets = new Map<string, readonly string[]>();
  readonly #staying: ReadonlySet<string>;
  readonly ended = new Set<string>();

  constructor(chatbotId: string, aliases: readonly Alias[] = [], staying: readonly string[] = []) {
    this.#chatbotId = chatbotId;
    this.#staying = new Set([...staying, ...aliases.map((one) => one.merged_into)]);
    for (const one of aliases) {
      for (const key of keysOf({ ...one, email: one.email_key, external_id: one.alias })) {
        this.#targets.set(key, [...new Set([...this.targetsOf(key), one.merged_into])]);
      }
    }
  }

  /** Ids of the contacts to which the key leads; they may be in the bin. */
  targetsOf(key: string): readonly string[] {
    return this.#targets.get(key) ?? [];
  }

  /** Whether others were merged into this contact. */
  areOf(id: string): boolean {
    return this.#staying.has(id);
  }

  requireUnmerged(id: string): void {
    const [into] = this.targetsOf(`id:${id}`);
    if (into !== undefined) throw wasMerged(this.#chatbotId, into);
  }

  /** Ends the alias of an external id, unless it leads to the contact that takes it. */
  end(externalId: string, takenBy: string): void {
    const key = `external_id:${externalId}`;
    if (this.targetsOf(key).every((id) => id === takenBy)) return;
    this.#targets.delete(key);
    this.ended.add(externalId);
  }
}

export function wasMerged(chatbotId: string, contactId: string): AppError {
  const message = 'This contact was merged into another one; use the contact that stays';
  return new AppError('merged', message, { about: 'contact', mergedInto: { chatbotId, contactId } });
}

/** Loads aliases of keys that find nobody, of contacts whose values a file, a mirror or an upsert may replace, and of all in several changes. */
export async function findAliases(
  contacts: ContactWrites,
  { projectId, chatbotId }: ChatbotRef,
  changes: readonly Pick<Change, 'op' | 'keys' | 'given' | 'mode'>[],
  live: ReadonlyMap<string, readonly StoredContact[]>,
): Promise<Aliases> {
  const wanted = new Set<string>();
  const staying = new Set<string>();
  // An earlier change may free a key, or take one.
  const areSeveral = changes.length > 1;
  for (const change of changes) {
    const { op, mode, given } = change;
    const found = change.keys.flatMap((key) => live.get(key) ?? []);
    const mayReplace =
      areSeveral || mode !== 'set' || (op === 'upsert' && found.some(({ email }) => isOtherEmail(email, given)));
    const own = keysToLoad(change).filter((key) => mayReplace || !live.has(key));
    if (own.length > 0 && given.texts.email != null) own.push(`email:${emailKey(given.texts.email)}`);
    for (const key of own) wanted.add(key);
    if (mayReplace) for (const { id } of found) staying.add(id);
  }
  if (wanted.size + staying.size === 0) return new Aliases(chatbotId);
  const found = await contacts.findAliases(projectId, chatbotId, [...wanted], [...staying]);
  return new Aliases(chatbotId, found.aliases, found.staying);
}

export function isOtherEmail(known: string | null, { texts: { email } }: Given): boolean {
  return email != null && emailKey(email) !== emailKey(known ?? '');
}
