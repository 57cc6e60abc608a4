import type { Position } from './positions.ts';

const contacts = '/v2/chatbots/desk/contacts';
const members = '/v2/members';

/** A request with a JSON body; `lines` are further headers. */
export const sending =
  (
    method: string,
    path: string | ((plant: string) => string),
    bodyOf: (plant: string) => unknown,
    line?: (plant: string) => string,
  ): Position =>
  (plant, { token }) => {
    const body = JSON.stringify(bodyOf(plant));
    return [
      `${method} ${typeof path === 'string' ? path : path(plant)} HTTP/1.1`,
      'Host: roster.test',
      `Authorization: Bearer ${token}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      ...(line ? [line(plant)] : []),
      'Connection: close',
      '',
      body,
    ];
  };
const writing = (propertiesOf: (plant: string) => object) =>
  sending('POST', contacts, (plant) => ({ properties: propertiesOf(plant) }));

/** What the name of an attribute, a tag or an idempotency key may hold, with the plant in it. */
const asName = (plant: string) => `a${plant.toLowerCase().replaceAll(/[^a-z0-9]/g, '_')}`.slice(0, 40);
const asTag = (plant: string) => plant.replaceAll(/[,;|]/g, '-').slice(0, 40);
const asKey = (plant: string) => plant.replaceAll(/[^\x21-\x7e]/g, '-');
const aboutMember = (plant: string) => `${members}/${encodeURIComponent(plant)}`;
const aboutChatbot = (plant: string) => `/v2/chatbots/${encodeURIComponent(plant)}/contacts/search`;
const asEmail = (plant: string) => `${asName(plant)}@example.com`;

/** Every place of a write that somebody may put something into: some are stored, some are refused. */
export const writePositions: Readonly<Record<string, Position>> = {
  texts: writing((plant) => ({ first_name: plant, last_name: plant, phone: plant, address: plant, company: plant })),
  email: writing((plant) => ({ email: asEmail(plant) })),
  badEmail: writing((plant) => ({ email: `${plant} at home`, website: `${plant} is no address` })),
  longText: writing((plant) => ({ name: plant.repeat(20), postal_code: plant.repeat(9) })),
  externalId: writing((plant) => ({ name: 'A', external_id: plant })),
  attributeValue: writing((plant) => ({ name: 'A', attributes: { note: plant } })),
  attributeName: writing((plant) => ({ name: 'A', attributes: { [asName(plant)]: 1 } })),
  badAttributeName: writing((plant) => ({ name: 'A', attributes: { [plant]: 1, [asName(plant)]: [plant] } })),
  tag: writing((plant) => ({ name: 'A', tags: [asTag(plant)] })),
  badTag: writing((plant) => ({ name: 'A', tags: [`${plant};`] })),
  unknownProperty: writing((plant) => ({ [plant]: plant })),
  unknownMember: sending('POST', contacts, (plant) => ({ [plant]: plant, properties: { name: plant } })),
  idempotencyKey: sending(
    'POST',
    contacts,
    (plant) => ({ properties: { name: plant } }),
    (plant) => `Idempotency-Key: ${asKey(plant)}`,
  ),
  reusedKey: sending(
    'POST',
    `${contacts}/upsert`,
    (plant) => ({ match: { external_id: plant }, properties: { name: 'A' } }),
    (plant) => `Idempotency-Key: ${asKey(plant)}`,
  ),
  badIdempotencyKey: sending(
    'POST',
    contacts,
    (plant) => ({ properties: { name: plant } }),
    (plant) => `Idempotency-Key: ${asKey(plant)} ${asKey(plant).repeat(20)}`,
  ),
  ifMatch: sending(
    'PATCH',
    `${contacts}/contact-1`,
    (plant) => ({ properties: { city: plant } }),
    (plant) => `If-Match: "${asKey(plant).replaceAll('"', '')}"`,
  ),
  patch: sending('PATCH', `${contacts}/contact-2`, (plant) => ({
    properties: { city: plant, tags: { add: [asTag(plant)] }, attributes: { [asName(plant)]: plant } },
  })),
  match: sending('POST', `${contacts}/upsert`, (plant) => ({
    match: { email: asEmail(plant) },
    properties: { name: plant },
  })),
  matchOfTwo: sending('POST', `${contacts}/upsert`, (plant) => ({
    match: { email: asEmail(plant) },
    properties: { email: `other${asEmail(plant)}` },
  })),
  bulk: sending('POST', `${contacts}/bulk`, (plant) => ({
    items: [
      { op: 'create', properties: { name: plant, external_id: plant, [plant]: plant } },
      { op: 'upsert', match: { external_id: `bulk ${plant}` }, properties: { name: plant } },
      { op: 'update', id: plant.slice(0, 60), properties: { name: plant } },
    ],
  })),
  badBulk: sending('POST', `${contacts}/bulk`, (plant) => ({ items: [{ op: plant, [plant]: plant }] })),
  lookup: sending('POST', `${contacts}/lookup`, (plant) => ({ external_id: plant })),
  search: sending('POST', `${contacts}/search`, (plant) => ({ query: plant })),
  searchByTag: sending('POST', `${contacts}/search?include=tags`, (plant) => ({ query: plant, tag: asTag(plant) })),
  badSearch: sending('POST', `${contacts}/search`, (plant) => ({
    query: plant.repeat(30),
    tag: `${plant};`,
    sort: plant,
    cursor: asKey(plant),
    created_after: plant.slice(0, 40),
    [plant]: plant,
  })),
  searchInPath: sending(
    'POST',
    (plant) => `${contacts}/search?query=${encodeURIComponent(plant)}`,
    (plant) => ({ query: plant }),
  ),
  searchElsewhere: sending('POST', aboutChatbot, (plant) => ({ query: plant })),
  conditions: sending('POST', `${contacts}/search`, (plant) => ({
    where: [
      { field: 'company', is: plant },
      { field: 'tags', any_of: [plant, asTag(plant)] },
      { field: `attributes.${asName(plant)}`, known: true },
    ],
    count: true,
  })),
  searchOfAll: sending('POST', '/v2/contacts/search?include=details,attributes', (plant) => ({
    query: plant,
    where: [{ field: 'attributes.note', is: plant }],
  })),
  badConditions: sending('POST', '/v2/contacts/search', (plant) => ({
    where: [
      { field: plant, is: plant },
      { field: `attributes.${plant}`, any_of: [] },
      { field: 'company', is: [plant], [plant]: plant },
      { field: 'city', is: plant, known: plant },
    ],
    chatbot_ids: [plant, 7],
    updated_after: plant,
    cursor: plant,
  })),
  searchOfForeign: sending('POST', '/v2/contacts/search', (plant) => ({ chatbot_ids: [plant.slice(0, 60)] })),
  conditionInPath: sending(
    'POST',
    (plant) => `/v2/contacts/search?where=${encodeURIComponent(plant)}`,
    () => ({}),
  ),
  usage: sending(
    'GET',
    (plant) => `/v2/usage/contacts?chatbot=${encodeURIComponent(plant)}`,
    () => ({}),
  ),
  lookupOfAll: sending('POST', '/v2/contacts/lookup', (plant) => ({ email: asEmail(plant) })),
  badLookupOfAll: sending('POST', '/v2/contacts/lookup', (plant) => ({ email: plant, phone: plant, [plant]: plant })),
  disclosure: sending('POST', '/v2/contacts/disclose', (plant) => ({ external_id: plant })),
  badDisclosure: sending('POST', '/v2/contacts/disclose', (plant) => ({
    contacts: [{ chatbot_id: plant, id: [plant] }],
  })),
  erasure: sending('POST', '/v2/contacts/erase', (plant) => ({
    contacts: [{ chatbot_id: 'desk', id: plant.slice(0, 60) }],
    reference: plant,
  })),
  badErasure: sending('POST', '/v2/contacts/erase', (plant) => ({ contacts: [plant], reference: plant.repeat(90) })),
  merge: sending('POST', `${contacts}/contact-0/merge`, (plant) => ({ from: [plant.slice(0, 60)] })),
  badMerge: sending('POST', `${contacts}/contact-0/merge`, (plant) => ({ from: [plant], keep: { [plant]: plant } })),
  undo: sending(
    'POST',
    (plant) => `/v2/chatbots/desk/merges/${encodeURIComponent(plant)}/undo`,
    () => ({}),
  ),
  duplicates: sending('POST', `${contacts}/duplicates`, (plant) => ({ band: plant, cursor: asKey(plant) })),
  dismissal: sending('POST', `${contacts}/duplicates/dismiss`, (plant) => ({ contact_ids: [plant.slice(0, 60), 'x'] })),
  restore: sending('POST', `${contacts}/contact-3/restore?include=tags`, (plant) => ({ [plant]: plant })),
  invite: sending('POST', members, (plant) => ({ email: asEmail(plant), roles: ['Viewer'] })),
  keyedInvite: sending(
    'POST',
    members,
    (plant) => ({ email: `k${asEmail(plant)}`, roles: ['Viewer'] }),
    (plant) => `Idempotency-Key: ${asKey(plant)}`,
  ),
  badInvite: sending('POST', members, (plant) => ({ email: plant, roles: [plant], expires_in: plant, [plant]: plant })),
  memberId: sending('PATCH', aboutMember, () => ({ roles: ['Admin'] })),
  memberRoles: sending('PATCH', `${members}/none`, (plant) => ({ roles: [plant] })),
  reinvite: sending(
    'POST',
    (plant) => `${aboutMember(plant)}/invitation`,
    () => ({}),
  ),
  removal: sending('DELETE', aboutMember, () => ({})),
  accept: sending('POST', '/v2/invitations/accept', (plant) => ({ token: plant })),
  badAccept: sending('POST', '/v2/invitations/accept', (plant) => ({ token: [plant], [plant]: plant })),
  acceptInPath: sending(
    'POST',
    (plant) => `/v2/invitations/accept/${encodeURIComponent(plant)}`,
    () => ({}),
  ),
  join: sending(
    'GET',
    (plant) => `/join?token=${encodeURIComponent(plant)}`,
    () => ({}),
  ),
  chatbot: sending('POST', '/v2/chatbots', (plant) => ({ name: plant })),
  project: sending('PATCH', '/v2/project/settings', (plant) => ({ name: plant })),
  deletion: (plant, { token }) => [
    `DELETE ${contacts}/${encodeURIComponent(plant)}?purge=${encodeURIComponent(plant)} HTTP/1.1`,
    'Host: roster.test',
    `Authorization: Bearer ${token}`,
    'Connection: close',
  ],
};
