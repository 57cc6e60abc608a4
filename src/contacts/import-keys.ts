import type { Batch, Row } from '../imports.ts';
import { emailKey } from '../values/email.ts';
import type { Given } from './change/given.ts';
import { keysToLoad } from './change/match.ts';
import type { Change } from './change/plan.ts';
import type { Draft } from './draft.ts';

type DraftRow = Pick<Row<Draft>, 'draft' | 'digest'>;

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
    else keys.push(`digest:${digest}`);
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
