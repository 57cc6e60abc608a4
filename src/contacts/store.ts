import type { Contact } from './contact.ts';
import type { StoredContact } from './matching.ts';

export interface ContactReads {
  /** Undefined for a contact of another chatbot or project as for none at all. */
  find(projectId: string, chatbotId: string, contactId: string): Promise<Contact | undefined>;
  /** All contacts of a chatbot in pages, by id; a contact that is there throughout comes exactly once. */
  listAll(projectId: string, chatbotId: string): AsyncIterable<Contact[]>;
}

export interface ContactWrites {
  /**
   * The contacts under these keys (`id:…`, `email:…`, `digest:…`): several may have one address. No other import into
   * the chatbot runs until the transaction ends.
   */
  findForImport(
    projectId: string,
    chatbotId: string,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, readonly StoredContact[]>>;
  save(
    projectId: string,
    chatbotId: string,
    contacts: { added: readonly StoredContact[]; replaced: readonly StoredContact[] },
  ): Promise<void>;
}
