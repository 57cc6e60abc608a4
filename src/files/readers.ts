import { checkContact } from '../contacts/contact.ts';
import { checkMember } from '../members/member.ts';
import { contactSynonyms, memberSynonyms } from './columns.ts';

/** How the files of each noun are read; by name, as functions cannot be handed to a thread. */
export const readers = {
  contacts: { synonyms: contactSynonyms, check: checkContact },
  members: { synonyms: memberSynonyms, check: checkMember },
} as const;

export type ReaderName = keyof typeof readers;
