import { hash } from 'node:crypto';

import { emailKey } from '../values/email.ts';
import type { StoredContact } from './contact.ts';
import type { ContactDraft } from './draft.ts';
import { earlierDigest } from './earlier-digest.ts';

/** The keys by which a row finds its contact: by id, else by external id, e-mail or all cells, whichever is the first. */
export function draftKeys({ texts, digest, earlier = texts }: ContactDraft): [string, ...string[]] {
  const { id, external_id: externalId, email } = texts;
  if (id !== undefined) return [`id:${id}`];
  const keys: [string, ...string[]] =
    email === undefined ? [`digest:${digest}`, `digest:${earlierDigest(earlier)}`] : [`email:${emailKey(email)}`];
  if (externalId !== undefined) keys.unshift(`external_id:${externalId}`);
  return keys;
}

/** The keys of everybody who matters for a row: whom it may mean, and who has its external id. */
export function contactKeys(draft: ContactDraft): string[] {
  const { id, external_id: externalId } = draft.texts;
  return id === undefined || externalId === undefined ? draftKeys(draft) : [`id:${id}`, `external_id:${externalId}`];
}

/** All keys by which a contact can be found, the one that never changes first. */
export function personKeys(contact: StoredContact): [string, ...string[]] {
  const keys: [string, ...string[]] = [`id:${contact.id}`];
  if (contact.external_id !== null) keys.push(`external_id:${contact.external_id}`);
  if (contact.email !== null) keys.push(`email:${emailKey(contact.email)}`);
  if (contact.import_digest !== null) keys.push(`digest:${contact.import_digest}`);
  return keys;
}

/** Under this key a batch finds somebody in the bin. */
export function binKey(contactId: string): string {
  return `bin:${contactId}`;
}

const keyHashLength = 22;

/** Stands for a key where only its being the same matters, and hides the address in it. */
export function keyHash(key: string): string {
  return hash('sha256', key, 'base64url').slice(0, keyHashLength);
}

/** Every key that a row could leave with whom it means. */
export function rowKeys(draft: ContactDraft): Set<string> {
  const { email } = draft.texts;
  return new Set([
    ...draftKeys(draft),
    ...contactKeys(draft),
    ...(email === undefined ? [] : [`email:${emailKey(email)}`]),
  ]);
}
