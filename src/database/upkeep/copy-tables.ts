import { storedColumns } from '../contact-rows.ts';
import { eventInsertion } from '../events.ts';
import { memberInsertion } from '../members.ts';
import { deliveryInsertion } from '../webhook-deliveries.ts';
import { webhookColumns } from '../webhooks.ts';

export interface Table {
  name: string;
  columns: readonly string[];
  key: readonly string[];
}

export const keyTable: Table = {
  name: 'api_keys',
  columns: words(
    'project_id id name scopes token_hash last4 created_at last_used_at expires_at revoked_at replaced_by created_by_type created_by_id',
  ),
  key: ['project_id', 'id'],
};

/** Each table follows those that it refers to. Keys come last: nobody can use a copy that is incomplete or differs. */
export const tables: readonly Table[] = [
  {
    // Without `feed`: a copy begins a feed of its own.
    name: 'projects',
    columns: words('id name created_at revision seats_max chatbots_max contacts_max last_event'),
    key: ['id'],
  },
  { name: 'chatbots', columns: words('project_id id name visibility created_at revision'), key: ['project_id', 'id'] },
  {
    name: 'import_walks',
    columns: words('project_id chatbot_id source phase place'),
    key: ['project_id', 'chatbot_id'],
  },
  { name: 'members', columns: memberInsertion.columns, key: ['project_id', 'position'] },
  {
    name: 'invitations',
    columns: words('project_id member_id token_hash expires_at created_by_type created_by_id'),
    key: ['project_id', 'member_id'],
  },
  // Without sessions and links: people sign in again.
  {
    name: 'passkeys',
    columns: words(
      'project_id id member_id name credential_id public_key sign_count transports challenged_at created_at last_used_at',
    ),
    key: ['project_id', 'id'],
  },
  { name: 'contacts', columns: [...storedColumns, 'place'], key: ['project_id', 'chatbot_id', 'id'] },
  {
    name: 'deleted_contacts',
    columns: [...storedColumns, 'deleted_at'],
    key: ['project_id', 'chatbot_id', 'id'],
  },
  // Suggestions and marks of events are not copied: jobs find them again.
  {
    name: 'dismissed_duplicates',
    columns: words('project_id chatbot_id one_id other_id'),
    key: words('project_id chatbot_id one_id other_id'),
  },
  {
    name: 'merged_contacts',
    columns: [...storedColumns, ...words('alias merge_id first_into merged_into merged_at')],
    key: ['project_id', 'chatbot_id', 'id'],
  },
  {
    name: 'merges',
    columns: words('project_id chatbot_id id contact_id merged_at request result former'),
    key: ['project_id', 'chatbot_id', 'id'],
  },
  { name: 'events', columns: eventInsertion.columns, key: ['project_id', 'sequence'] },
  {
    name: 'idempotency_keys',
    columns: words('project_id api_key_id key_hash request_digest result created_at'),
    key: ['project_id', 'api_key_id', 'key_hash'],
  },
  { name: 'webhooks', columns: webhookColumns, key: ['project_id', 'id'] },
  // Some are still to be tried again.
  { name: 'webhook_deliveries', columns: deliveryInsertion.columns, key: words('project_id webhook_id number') },
  keyTable,
];

function words(text: string): string[] {
  return text.split(' ');
}
