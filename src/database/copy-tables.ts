import { contactInsertion } from './contacts.ts';
import type { Value } from './sql.ts';

/** A table as a copy reads and writes it. */
export interface Table {
  name: string;
  columns: readonly string[];
  /** The primary key, the project first. */
  key: readonly string[];
  /** Sorts before every key that there can be. */
  lowest: readonly Value[];
}

/** Every table but that of the keys, after those that it refers to. */
export const peopleTables: readonly Table[] = [
  { name: 'projects', columns: words('id name created_at members_have_gaps'), key: ['id'], lowest: [''] },
  {
    name: 'chatbots',
    columns: words('project_id id name created_at'),
    key: ['project_id', 'id'],
    lowest: ['', ''],
  },
  {
    name: 'members',
    columns: words('project_id position email email_key status roles'),
    key: ['project_id', 'position'],
    lowest: ['', -1],
  },
  {
    name: 'contacts',
    columns: contactInsertion.columns,
    key: ['project_id', 'chatbot_id', 'id'],
    lowest: ['', '', ''],
  },
];

/** That of the API keys. */
export const keyTable: Table = {
  name: 'api_keys',
  columns: words(
    'project_id id name scopes token_hash last4 created_at last_used_at expires_at revoked_at replaced_by',
  ),
  key: ['project_id', 'id'],
  lowest: ['', ''],
};

/** What a copy holds, and a test compares with the schema. */
export const tables: readonly Table[] = [...peopleTables, keyTable];

function words(text: string): string[] {
  return text.split(' ');
}
