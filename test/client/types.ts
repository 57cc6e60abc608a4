import {
  type Answered,
  type ClientOptions,
  type Contact,
  type ContactMatch,
  type ErrorCode,
  RosterClient,
  type RosterError,
} from '../../clients/typescript/src/index.ts';

/** Compiled against the package by package.test.ts, and never run: what callers may write, and what they may not. */
export async function whatCallersWrite(client: RosterClient, chatbotId: string, maybe: string | undefined) {
  // Values that may be undefined are as good as missing, also under exactOptionalPropertyTypes.
  const options: ClientOptions = { baseUrl: 'https://roster.example.com/v2', apiKey: maybe };
  await new RosterClient(options).listMembers();
  await client.listContacts({ chatbotId, cursor: maybe, include: ['tags'] as const });
  await client.updateContact(
    { chatbotId, contactId: 'c1', properties: { city: maybe, phone: null } },
    { ifMatch: maybe },
  );

  const page = await client.listContacts({ chatbotId });
  const first: Contact | undefined = page.contacts[0];
  const lastPage: number | undefined = page.pages?.last_page;
  const answered: Answered<Contact> = await client.retrieveContact({ chatbotId, contactId: 'c1' }).withResponse();
  const done: void = await client.deleteContact({ chatbotId, contactId: 'c1' });
  const going: string[] = (await client.removeMember({ memberId: 'm1', dry_run: true })).keys;
  for await (const { email } of client.searchContacts({ chatbotId, query: 'ana' })) email satisfies string | null;

  // @ts-expect-error A contact may be deleted before a repeat.
  const upserted: Contact = (await client.upsertContact({ chatbotId, match: { id: 'c1' } })).contact;
  // @ts-expect-error The name may be unknown.
  const name: string = answered.data.name;
  // @ts-expect-error Tags are there only where include asks for them.
  const tags: string[] = answered.data.tags;
  // @ts-expect-error The list may be empty.
  const { id } = page.contacts[0];
  // @ts-expect-error An id is missing.
  await client.retrieveContact({ chatbotId });
  // @ts-expect-error No such property.
  await client.createContact({ chatbotId, properties: { mail: 'ana@example.com' } });
  // @ts-expect-error No such order.
  await client.listContacts({ chatbotId, sort: 'name' });
  // @ts-expect-error Exactly one of the three.
  const both: ContactMatch = { id: 'c1', email: 'ana@example.com' };
  // @ts-expect-error Exactly one of the three.
  const none: ContactMatch = {};
  // @ts-expect-error Only changes are guarded.
  await client.retrieveContact({ chatbotId, contactId: 'c1' }, { ifMatch: '*' });
  await client.updateChatbot({ chatbotId, name: 'Desk' }, { idempotencyKey: 'k', ifMatch: '*' });
  // @ts-expect-error A read has no idempotency key.
  await client.retrieveChatbot({ chatbotId }, { idempotencyKey: 'k' });
  // @ts-expect-error The Owner hands over by command.
  await client.inviteMember({ email: 'ana@example.com', roles: ['Owner'] });
  // @ts-expect-error The address is needed.
  void new RosterClient({ apiKey: 'k' });
  return { first, lastPage, done, going, both, none, upserted, name, tags, id };
}

/** The codes are known, and may grow. */
export function adviceFor(error: RosterError): string {
  const known: ErrorCode = 'seats_exhausted';
  if (error.code === known) return 'Ask for more seats.';
  // @ts-expect-error Not one of them.
  const unknown: ErrorCode = 'no_such_code';
  // @ts-expect-error Read-only.
  error.status = 200;
  return error.code === 'a_code_of_next_year' ? unknown : error.message;
}
