import { of, type Table, table } from './classes.ts';

const texts =
  'name first_name last_name email phone external_id company job_title industry website address city state postal_code country attributes tags';
/** The columns of a contact's values. */
export const values: readonly string[] = texts.split(' ');

const contactIds = 'project_id chatbot_id id';

/** Tables that a restore empties; it brings the rows of all others back. */
export const endAtRestore: readonly string[] = ['sessions', 'sign_in_links'];

/** Every column of every table, on both engines. docs/privacy.md is made of it: `npm run privacy`. */
export const register: readonly Table[] = [
  table(
    'contacts',
    of('person', texts, 'contact', 'contacts:read'),
    of('person', 'email_key phone_key import_digest', 'contact'),
    of('person', 'search_key', 'contact', 'nobody', 'postgres'),
    of('identifier', contactIds, 'contact', 'contacts:read'),
    of('identifier', 'inserted_as place', 'contact'),
    of('identifier', 'search_key', 'contact', 'nobody', 'sqlite'),
    of('state', 'created_at updated_at revision', 'contact', 'contacts:read'),
  ),
  table(
    'deleted_contacts',
    of('person', texts, 'bin', 'contacts:write'),
    of('person', 'email_key phone_key import_digest', 'bin'),
    of('identifier', contactIds, 'bin', 'contacts:write'),
    of('identifier', 'inserted_as', 'bin'),
    of('state', 'created_at updated_at deleted_at', 'bin', 'contacts:write'),
    of('state', 'revision', 'bin'),
  ),
  table(
    'merged_contacts',
    of('person', texts, 'undo', 'contacts:write'),
    of('person', 'phone_key', 'undo'),
    of('person', 'email_key alias', 'merged', 'contacts:write'),
    of('person', 'import_digest', 'merged'),
    of('identifier', `${contactIds} merge_id first_into merged_into`, 'merged', 'contacts:write'),
    of('identifier', 'inserted_as', 'undo'),
    of('state', 'updated_at', 'undo', 'contacts:write'),
    of('state', 'created_at merged_at', 'merged', 'contacts:write'),
    of('state', 'revision', 'merged'),
  ),
  table(
    'merges',
    of('person', 'former', 'undo', 'contacts:write'),
    of('identifier', `${contactIds} contact_id request result`, 'chatbot', 'contacts:write'),
    of('state', 'merged_at', 'chatbot', 'contacts:write'),
  ),
  table(
    'duplicate_keys',
    of('person', 'email phone name company domain', 'contact'),
    of('identifier', 'project_id chatbot_id contact_id', 'contact'),
    of('state', 'is_stale', 'contact'),
  ),
  table(
    'duplicate_pairs',
    of('identifier', 'project_id chatbot_id one_id other_id', 'contact', 'contacts:read'),
    of('state', 'band reasons', 'contact', 'contacts:read'),
  ),
  table('dismissed_duplicates', of('identifier', 'project_id chatbot_id one_id other_id', 'purge')),
  table(
    'duplicate_progress',
    of('identifier', 'project_id chatbot_id contact_id', 'project'),
    of('state', 'counted', 'project'),
  ),
  table('contact_words', of('person', 'words', 'index', 'nobody', 'sqlite')),
  table(
    'contact_words_data',
    of('identifier', 'id', 'index', 'nobody', 'sqlite'),
    of('person', 'block', 'index', 'nobody', 'sqlite'),
  ),
  table(
    'contact_words_idx',
    of('identifier', 'segid pgno', 'index', 'nobody', 'sqlite'),
    of('person', 'term', 'index', 'nobody', 'sqlite'),
  ),
  table('contact_words_config', of('setting', 'k v', 'database', 'nobody', 'sqlite')),
  table(
    'indexed_contacts',
    of('identifier', 'entry project of_chatbot contact_id', 'contact', 'nobody', 'sqlite'),
    of('state', 'created', 'contact', 'nobody', 'sqlite'),
  ),
  table(
    'search_state',
    of('state', 'folding merges_due first_place', 'database'),
    of('state', 'last_place', 'database', 'nobody', 'sqlite'),
  ),
  table(
    'import_walks',
    of('identifier', 'project_id chatbot_id source place', 'chatbot'),
    of('state', 'phase', 'chatbot'),
  ),
  table(
    'idempotency_keys',
    of('person', 'request_digest', 'hours'),
    of('identifier', 'project_id api_key_id key_hash result', 'hours'),
    of('state', 'created_at', 'hours'),
  ),
  table(
    'events',
    of(
      'identifier',
      'project_id sequence id actor_id request_id chatbot_id contact_id contact_ids member_id member_ids key_id receipt_id webhook_id',
      'events',
      'events:read',
    ),
    of('state', 'type occurred_at actor_type changed count', 'events', 'events:read'),
  ),
  table(
    'event_marks',
    of('identifier', 'project_id marks', 'events'),
    of('state', 'part block earliest latest', 'events'),
  ),
  table(
    'webhooks',
    of('secret', 'secret old_secret', 'webhook'),
    of('setting', 'url events chatbot_ids payload description', 'webhook', 'webhooks:read'),
    of('identifier', 'id', 'webhook', 'webhooks:read'),
    of('identifier', 'project_id position created_by_type created_by_id', 'webhook'),
    of('state', 'failing_since disabled_reason last_success_at paused_until retry_at', 'webhook', 'webhooks:read'),
    of('state', 'old_secret_until attempts created_at revision', 'webhook'),
  ),
  table(
    'webhook_deliveries',
    of('identifier', 'event_id', 'delivery', 'webhooks:read'),
    of('identifier', 'project_id webhook_id number sequence', 'delivery'),
    of('state', 'type attempt at http_status reason duration_ms next_attempt_at outcome', 'delivery', 'webhooks:read'),
  ),
  table(
    'members',
    of('member', 'email status roles', 'member', 'members:read'),
    of('member', 'email_key', 'member'),
    of('identifier', 'id', 'member', 'members:read'),
    of('identifier', 'project_id position', 'member'),
    of('state', 'invited_at joined_at revision', 'member', 'members:read'),
  ),
  table(
    'invitations',
    of('secret', 'token_hash', 'invitation'),
    of('identifier', 'project_id member_id created_by_type created_by_id', 'invitation'),
    of('state', 'expires_at', 'invitation', 'members:write'),
  ),
  table(
    'sessions',
    of('member', 'user_agent roles', 'session', 'self'),
    of('secret', 'token_hash', 'session'),
    of('identifier', 'project_id id member_id', 'session', 'self'),
    of('state', 'method created_at last_used_at verified_at expires_at', 'session', 'self'),
  ),
  table(
    'sign_in_links',
    of('secret', 'token_hash', 'link'),
    of('identifier', 'project_id member_id', 'link'),
    of('state', 'verified_at expires_at', 'link'),
  ),
  table(
    'passkeys',
    of('member', 'name', 'passkey', 'self'),
    of('secret', 'credential_id public_key', 'passkey'),
    of('identifier', 'project_id id member_id', 'passkey', 'self'),
    of('state', 'created_at last_used_at', 'passkey', 'self'),
    of('state', 'sign_count transports challenged_at', 'passkey'),
  ),
  table('sign_in_secret', of('secret', 'secret', 'database')),
  table(
    'api_keys',
    of('secret', 'last4', 'project', 'administration'),
    of('secret', 'token_hash', 'project'),
    of('setting', 'name scopes', 'project', 'administration'),
    of('identifier', 'project_id id replaced_by created_by_type created_by_id', 'project', 'administration'),
    of('state', 'created_at last_used_at expires_at revoked_at', 'project', 'administration'),
  ),
  table(
    'chatbots',
    of('setting', 'name visibility', 'chatbot', 'chatbots:read'),
    of('identifier', 'project_id id', 'chatbot', 'chatbots:read'),
    of('state', 'created_at contacts_added contacts_removed revision', 'chatbot', 'chatbots:read'),
  ),
  table(
    'projects',
    of('setting', 'name seats_max chatbots_max contacts_max', 'project', 'project:read'),
    of('identifier', 'id', 'project', 'project:read'),
    of('identifier', 'feed', 'project'),
    of('state', 'created_at revision', 'project', 'project:read'),
    of('state', 'last_event is_deleted', 'project'),
  ),
  table('jobs', of('state', 'name due_at', 'database')),
  table('schema_migrations', of('state', 'name checksum applied_at', 'database')),
];
