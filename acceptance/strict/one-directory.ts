import { type Asks, everything } from './asks.ts';

/** Merges and their undo, suggestions, and a person in all chatbots. */
export async function putTogetherAndErase({ ask, get, post }: Asks, contacts: string): Promise<void> {
  const twin = { properties: { name: 'Twin', email: 'twin@example.com' } };
  const [{ data: staying }, { data: source }] = [await post(contacts, twin, 201), await post(contacts, twin, 201)];
  await post(`${contacts}/duplicates`, {}, 200);
  await post(`${contacts}/duplicates`, { band: 'unsure' }, 422);
  await post(`${contacts}/duplicates/dismiss`, { contact_ids: [staying.id, source.id] }, 200);
  await post(`${contacts}/duplicates/dismiss`, { contact_ids: [staying.id, 'none'] }, 404);
  const merge = `${contacts}/${staying.id}/merge`;
  await post(`${merge}?dry_run=true`, { from: [source.id] }, 200);
  const { data } = await post(merge, { from: [source.id] }, 200, 'merge');
  await post(merge, { from: [source.id] }, 200, 'merge');
  await post(merge, { from: ['none'] }, 404);
  await get(`${contacts}/${source.id}`, 410);
  await ask({ method: 'DELETE', path: `${contacts}/${source.id}` }, 410);
  const undo = `${contacts.replace('/contacts', '')}/merges/${String(data['merge_id'])}/undo`;
  await ask({ method: 'POST', path: undo }, 200);
  await ask({ method: 'POST', path: undo }, 404);
  const address = { email: 'twin@example.com' };
  await post(`/v2/contacts/lookup?${everything}`, address, 200);
  await post('/v2/contacts/lookup', {}, 422);
  const where = [{ field: 'email_domain', is: 'Example.com' }];
  await post(`/v2/contacts/search?${everything}`, { where, sort: 'updated_desc', limit: 1, count: true }, 200);
  await post('/v2/contacts/search', { query: 'twin', sort: 'updated_desc' }, 422);
  await post('/v2/contacts/search', { chatbot_ids: ['none'] }, 404);
  await post(`${contacts}/search`, { where: [{ field: 'nickname', known: true }] }, 422);
  await post('/v2/contacts/disclose', address, 200);
  await post('/v2/contacts/disclose', {}, 422);
  const [, , , chatbot] = contacts.split('/');
  const person = { contacts: [{ chatbot_id: chatbot, id: source.id }], reference: 'Request 1' };
  await post('/v2/contacts/erase?dry_run=true', person, 200);
  await post('/v2/contacts/erase', person, 200, 'erase');
  await post('/v2/contacts/erase', person, 200, 'erase');
  await post('/v2/contacts/erase', {}, 422);
}
