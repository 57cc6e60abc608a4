import { AppError } from '../errors.ts';
import { isId } from '../values/identifier.ts';
import type { Contact } from './contact.ts';
import type { ContactStore } from './store.ts';

/** The contact, or `not_found`; what belongs to others is as if it were not there. */
export async function retrieveContact(
  store: Pick<ContactStore, 'findContact'>,
  caller: { projectId: string },
  chatbotId: string,
  contactId: string,
): Promise<Contact> {
  const contact =
    isId(chatbotId) && isId(contactId)
      ? await store.findContact(caller.projectId, chatbotId, contactId)
      : undefined;
  if (!contact) throw new AppError('not_found', 'Not found');
  return contact;
}
