import type { Stored } from '../imports.ts';
import type { Contact } from './contact.ts';
import type { ContactDraft, StoredContact } from './import.ts';

/** Chooses the contacts to store once every contact that the batch may mean is found. */
export type DecideContacts = (stored: Stored<StoredContact>) => StoredContact[];

export interface ContactStore {
  /** Undefined for a contact of another chatbot or project as for none at all. */
  findContact(projectId: string, chatbotId: string, contactId: string): Promise<Contact | undefined>;
  /** All contacts of a chatbot in pages, by id; a contact stored throughout is listed exactly once. */
  listContacts(projectId: string, chatbotId: string): AsyncIterable<Contact[]>;
  /** One batch, one transaction: finds by the keys of the drafts, lets `decide` choose, stores that or nothing. */
  importContacts(
    projectId: string,
    chatbotId: string,
    drafts: readonly ContactDraft[],
    decide: DecideContacts,
  ): Promise<void>;
}
