import { hash } from 'node:crypto';

import type { Batch, Row } from '../imports.ts';
import { emailKey } from '../values/email.ts';
import type { Change, Given } from './change/given.ts';
import { keysToLoad } from './change/keys.ts';
import type { ContactTexts, Draft } from './draft.ts';

type DraftRow = Pick<Row<Draft & { earlier?: ContactTexts }>, 'draft' | 'digest'>;

/** By id, else by external id, e-mail or all cells, whichever finds somebody first. A row of all cells keeps its digest. */
export function changeOfRow({ draft, digest }: DraftRow, mode: Batch<unknown, unknown>['mode']): Change {
  const { id, created_at: createdAt, ...texts } = draft.texts;
  const given: Given = { texts, attributes: draft.attributes, tags: draft.tags };
  const keys: string[] = [];
  if (id != null) keys.push(`id:${id}`);
  else {
    const { external_id: externalId, email } = texts;
    if (externalId != null) keys.push(`external_id:${externalId}`);
    if (email != null) keys.push(`email:${emailKey(email)}`);
    else keys.push(`digest:${digest}`, `digest:${earlierDigest(draft.earlier ?? (draft.texts as ContactTexts))}`);
    if (externalId == null && email == null) given.texts = { ...texts, import_digest: digest };
  }
  const ifNew: Change['ifNew'] = {};
  if (id != null) ifNew.id = id;
  if (createdAt != null) ifNew.created_at = createdAt;
  return { op: 'upsert', mode, keys, given, ifNew };
}

/** Every key that a row could leave with whom it means. */
export function rowKeys(row: DraftRow): Set<string> {
  const { email } = row.draft.texts;
  const keys = keysToLoad(changeOfRow(row, 'complete'));
  return new Set(email == null ? keys : [...keys, `email:${emailKey(email)}`]);
}

// Frozen: contacts in existing databases are found by it. A new field must not be added here.
const fields = ['id', 'name', 'email', 'job_title', 'phone', 'website', 'company', 'created_at'] as const;

/** The digest of the mapped cells alone, by which imports matched rows before version 2 of the row digest. */
export function earlierDigest(texts: { readonly [Field in (typeof fields)[number]]?: string }): string {
  return hash('sha256', JSON.stringify(fields.map((field) => texts[field] ?? null)), 'base64url');
}
