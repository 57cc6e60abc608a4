import type { Matching } from '../imports.ts';
import { newId } from '../values/identifier.ts';
import { formatTimestamp, type Timestamp } from '../values/timestamp.ts';
import { changedNames, detailNames } from './apply.ts';
import {
  type Attributes,
  type ContactDetail,
  type FurtherDetail,
  type StoredContact,
  unknownContact,
} from './contact.ts';
import { hasNothing } from './draft.ts';
import { binKey } from './import-keys.ts';

export type MirroredField = ContactDetail | FurtherDetail | 'external_id';

/** A contact as another service has it. Null is unknown there; what is missing is not said, and stays as it is here. */
export interface MirroredContact {
  id: string;
  created_at?: Timestamp;
  fields: Partial<Record<MirroredField, string | null>>;
  attributes?: Attributes;
  tags?: readonly string[];
}

/** The keys of everybody who matters for these contacts: they themselves, and whoever has their external ids. */
export function mirrorKeys(contacts: readonly MirroredContact[]): string[] {
  return contacts.flatMap(({ id, fields: { external_id: externalId } }) =>
    externalId == null ? [`id:${id}`] : [`id:${id}`, `external_id:${externalId}`],
  );
}

/** Contacts are the same by id alone, so that no two people are taken for one. A stored time of creation stays. */
export function mirrorMatching(now = new Date()): Matching<MirroredContact, StoredContact> {
  const at = formatTimestamp(now);
  return {
    draftKeys: ({ id }) => [`id:${id}`],
    personKeys: ({ id, external_id: externalId }) =>
      externalId === null ? [`id:${id}`] : [`id:${id}`, `external_id:${externalId}`],
    rank: ({ id }) => id,
    mayMean: () => true,
    claim: (contact) => contact,
    create: (draft, stored) => {
      const { id, created_at = at } = draft;
      const [deleted] = stored(binKey(id));
      return mirrored(deleted ?? { ...unknownContact, id, created_at, inserted_as: newId(), updated_at: at }, draft);
    },
    merge: mirrored,
    differing: changedNames,
    isKnown: () => true,
    objection: (_before, { id, external_id: externalId, ...after }, find) => {
      const other = externalId === null ? undefined : find(`external_id:${externalId}`);
      if (other && other.id !== id) return 'external_id is that of another contact';
      return detailNames.every((name) => after[name] === null) ? hasNothing : undefined;
    },
  };
}

/** The contact with what the other service says of it. Another name without its parts clears those. */
export function mirrored(contact: StoredContact, { fields, attributes, tags }: MirroredContact): StoredContact {
  const isRenamed = fields.name !== undefined && fields.name !== contact.name;
  const after = {
    ...contact,
    ...(isRenamed && { first_name: null, last_name: null }),
    ...fields,
    ...(attributes && { attributes }),
    ...(tags && { tags }),
  };
  return changedNames(contact, after).length === 0 ? contact : { ...after, updated_at: formatTimestamp(new Date()) };
}
