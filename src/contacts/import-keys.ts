import type { Batch, Row } from '../imports.ts';
import { emailKey } from '../values/email.ts';
import { keysToLoad } from './change/match.ts';
import type { Change } from './change/plan.ts';
import type { ContactDraft, ContactTexts, Draft } from './draft.ts';
import { earlierDigest } from './earlier-digest.ts';

type DraftRow = Pick<Row<Draft & { earlier?: ContactTexts }>, 'draft' | 'digest'>;

/** By id, else by external id, e-mail or all cells, whichever finds somebody first. A row of all cells keeps its digest. */
export function changeOfRow({ draft, digest }: DraftRow, mode: Batch<unknown, unknown>['mode']): Change {
  const { id, created_at, ...texts } = draft.texts;
  const { external_id: externalId, email } = texts;
  const given = { ...draft, texts };
  const ifNew = { ...(id != null && { id }), ...(created_at != null && { created_at }) };
  const change = { op: 'upsert', mode, given, ifNew } as const;
  if (id != null) return { ...change, keys: [`id:${id}`] };
  const byExternalId = externalId == null ? [] : [`external_id:${externalId}`];
  if (email != null) return { ...change, keys: [...byExternalId, `email:${emailKey(email)}`] };
  const { earlier = draft.texts as ContactTexts } = draft;
  const keys = [...byExternalId, `digest:${digest}`, `digest:${earlierDigest(earlier)}`];
  if (byExternalId.length > 0) return { ...change, keys };
  return { ...change, keys, given: { ...given, texts: { ...texts, import_digest: digest } } };
}

/** Every key that a row could leave with whom it means. */
export function rowKeys(row: Pick<Row<ContactDraft>, 'draft' | 'digest'>): Set<string> {
  const { email } = row.draft.texts;
  const keys = keysToLoad(changeOfRow(row, 'complete'));
  return new Set(email === undefined ? keys : [...keys, `email:${emailKey(email)}`]);
}
