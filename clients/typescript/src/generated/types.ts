// Made of openapi.json by `npm run openapi`; do not edit.

export type ErrorCode =
  | 'malformed_request'
  | 'unauthenticated'
  | 'insufficient_scope'
  | 'not_found'
  | 'unknown_path'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'conflict'
  | 'ambiguous_match'
  | 'seats_exhausted'
  | 'chatbots_exhausted'
  | 'contacts_exhausted'
  | 'owner_protected'
  | 'idempotency_in_progress'
  | 'cursor_expired'
  | 'merged'
  | 'precondition_failed'
  | 'payload_too_large'
  | 'uri_too_long'
  | 'unsupported_media_type'
  | 'expectation_failed'
  | 'validation_failed'
  | 'idempotency_key_reused'
  | 'rate_limited'
  | 'headers_too_large'
  | 'internal'
  | 'outcome_unknown'
  | 'unavailable';

export type EventType =
  | 'contact.created'
  | 'contact.updated'
  | 'contact.deleted'
  | 'contact.restored'
  | 'contact.purged'
  | 'contact.merged'
  | 'contact.unmerged'
  | 'contacts.exported'
  | 'contacts.erased'
  | 'member.invited'
  | 'member.activated'
  | 'member.updated'
  | 'member.removed'
  | 'owner.transferred'
  | 'chatbot.created'
  | 'chatbot.updated'
  | 'chatbot.deleted'
  | 'project.created'
  | 'project.updated'
  | 'key.created'
  | 'key.updated'
  | 'key.revoked'
  | 'key.rotated'
  | 'session.started'
  | 'session.ended'
  | 'passkey.added'
  | 'passkey.removed'
  | 'webhook.created'
  | 'webhook.updated'
  | 'webhook.disabled'
  | 'webhook.deleted';

export type Scope =
  | 'members:read'
  | 'members:write'
  | 'contacts:read'
  | 'contacts:write'
  | 'chatbots:read'
  | 'chatbots:write'
  | 'project:read'
  | 'project:write'
  | 'events:read'
  | 'webhooks:read'
  | 'webhooks:write';

export type Role = 'Owner' | 'Admin' | 'Editor' | 'Analyst' | 'Agent' | 'Billing' | 'Viewer';

export type MemberStatus = 'Active' | 'Pending';

export type EventPattern =
  | 'contact.created'
  | 'contact.updated'
  | 'contact.deleted'
  | 'contact.restored'
  | 'contact.purged'
  | 'contact.merged'
  | 'contact.unmerged'
  | 'contacts.exported'
  | 'contacts.erased'
  | 'member.invited'
  | 'member.activated'
  | 'member.updated'
  | 'member.removed'
  | 'owner.transferred'
  | 'chatbot.created'
  | 'chatbot.updated'
  | 'chatbot.deleted'
  | 'project.created'
  | 'project.updated'
  | 'key.created'
  | 'key.updated'
  | 'key.revoked'
  | 'key.rotated'
  | 'session.started'
  | 'session.ended'
  | 'passkey.added'
  | 'passkey.removed'
  | 'webhook.created'
  | 'webhook.updated'
  | 'webhook.disabled'
  | 'webhook.deleted'
  | 'contact.*'
  | 'contacts.*'
  | 'member.*'
  | 'owner.*'
  | 'chatbot.*'
  | 'project.*'
  | 'key.*'
  | 'session.*'
  | 'passkey.*'
  | 'webhook.*';

/** A key of a project, without its token. */
export interface ApiKey {
  /** Opaque. */
  id: string;
  /** For people. */
  name: string;
  /** The project that the key belongs to. */
  project_id: string;
  /** The scopes of the key. The set may grow. */
  scopes: (Scope | (string & {}))[];
  /** From this second on the key is refused: UTC, whole seconds; null when it does not expire. */
  expires_at: string | null;
}

/** The project of the key. */
export interface ProjectSettings {
  /** Opaque. */
  project_id: string;
  /** Its display name. */
  name: string;
}

/** How much of a limit is used. */
export interface Usage {
  /** May be above max. */
  used: number;
  /** 2147483647 where there is no limit. */
  max: number;
}

/** Where the page lies among all pages. */
export interface Pages {
  /** The page that was asked for, also past the end. */
  current_page: number;
  /** At least 1. */
  last_page: number;
  /** How many are on a page. */
  per_page: number;
}

/** A person who works on the project. The keys after `roles` are there where `include` asks for them. */
export interface Member {
  /** As given; unique in the project without regard to letter case. */
  email: string;
  /** Pending from the invitation until it is accepted. */
  status: MemberStatus;
  /** In the order of the list of values. The set may grow. */
  roles: (Role | (string & {}))[];
  /** A lower-case UUIDv7. */
  id?: string;
  /** When the member was invited last: UTC, whole seconds; null where nobody was, or it is not known. */
  invited_at?: string | null;
  /** When the member became Active: UTC, whole seconds; null until then, or where it is not known. */
  joined_at?: string | null;
}

/** A member, with the link of the invitation. */
export interface InvitedMember {
  /** A lower-case UUIDv7. */
  id: string;
  /** As given; unique in the project without regard to letter case. */
  email: string;
  /** Pending from the invitation until it is accepted. */
  status: MemberStatus;
  /** In the order of the list of values. The set may grow. */
  roles: (Role | (string & {}))[];
  /** When the member was invited last: UTC, whole seconds; null where nobody was, or it is not known. */
  invited_at: string | null;
  /** When the member became Active: UTC, whole seconds; null until then, or where it is not known. */
  joined_at: string | null;
  /** The link for the invited person, shown only now; null in a repeat. */
  invitation: {
    /** For the invited person and nobody else. */
    url: string;
    /** From this second on the link is refused: UTC, whole seconds. */
    expires_at: string;
  } | null;
}

/** A person who works on the project, with all that is known. */
export interface WholeMember {
  /** A lower-case UUIDv7. */
  id: string;
  /** As given; unique in the project without regard to letter case. */
  email: string;
  /** Pending from the invitation until it is accepted. */
  status: MemberStatus;
  /** In the order of the list of values. The set may grow. */
  roles: (Role | (string & {}))[];
  /** When the member was invited last: UTC, whole seconds; null where nobody was, or it is not known. */
  invited_at: string | null;
  /** When the member became Active: UTC, whole seconds; null until then, or where it is not known. */
  joined_at: string | null;
}

/** Keys that the change would revoke, and invitations that it would withdraw. Nothing was changed. */
export interface Revocations {
  /** Ids of keys. */
  keys: string[];
  /** Ids of Pending members. */
  invitations: string[];
}

/** The project that the person joined. */
export interface AcceptedInvitation {
  project: {
    /** Opaque. */
    id: string;
    /** For people. */
    name: string;
  };
  /** As given; unique in the project without regard to letter case. */
  email: string;
}

/** A chatbot of the project; it owns contacts. */
export interface Chatbot {
  /** Opaque; ten decimal digits when Roster made it, anything when it came from elsewhere. */
  id: string;
  /** Its display name. */
  name: string;
  /** Always 2.0. */
  version: '2.0';
  /** Private unless it was changed. */
  visibility: 'private' | 'public';
  /** Time of creation: UTC, whole seconds. */
  created_at: string;
  /** Its contacts, without those in the bin; only where `include` asks for it. */
  contact_count?: number;
}

/**
 * A person whom a chatbot has met. Required keys are always present; the others where `include` asks for them,
 * and `deleted_at` in the bin.
 */
export interface Contact {
  /** Opaque; a lower-case UUIDv7 when Roster made it, anything when it came from elsewhere. */
  id: string;
  /** Name; null when unknown, never empty. */
  name: string | null;
  /** E-mail address, as given; null when unknown, never empty. */
  email: string | null;
  /** Job title; null when unknown, never empty. */
  job_title: string | null;
  /** Telephone number, free text; null when unknown, never empty. */
  phone: string | null;
  /** Web address, as given; the scheme may be missing; null when unknown, never empty. */
  website: string | null;
  /** Company name; null when unknown, never empty. */
  company: string | null;
  /** Time of creation: UTC, whole seconds. */
  created_at: string;
  /** First name; null when unknown, never empty. */
  first_name?: string | null;
  /** Last name; null when unknown, never empty. */
  last_name?: string | null;
  /** Industry; null when unknown, never empty. */
  industry?: string | null;
  /** Street and number; null when unknown, never empty. */
  address?: string | null;
  /** City; null when unknown, never empty. */
  city?: string | null;
  /** State or region; null when unknown, never empty. */
  state?: string | null;
  /** Postal code; null when unknown, never empty. */
  postal_code?: string | null;
  /** Country; null when unknown, never empty. */
  country?: string | null;
  /** Its id in a system of the caller, unique in the chatbot; null when unknown. */
  external_id?: string | null;
  /** Values that the caller keeps about the contact; an empty object if there are none. */
  attributes?: Record<string, string | number | boolean>;
  /** In lower case, each once, sorted. */
  tags?: string[];
  /** Time of the last change: UTC, whole seconds; null when unknown. */
  updated_at?: string | null;
  /** When it was put into the bin: UTC, whole seconds. */
  deleted_at?: string;
}

/** The properties to write. Null clears a property; a missing one stays. */
export interface ContactProperties {
  /** Name; null clears it. */
  name?: string | null | undefined;
  /** E-mail address; null clears it. */
  email?: string | null | undefined;
  /** Job title; null clears it. */
  job_title?: string | null | undefined;
  /** Telephone number, free text; a number is taken as its decimal text; null clears it. */
  phone?: string | number | null | undefined;
  /** Web address; the scheme may be missing. */
  website?: string | null | undefined;
  /** Company name; null clears it. */
  company?: string | null | undefined;
  /** First name; null clears it. */
  first_name?: string | null | undefined;
  /** Last name; null clears it. */
  last_name?: string | null | undefined;
  /** Industry; null clears it. */
  industry?: string | null | undefined;
  /** Street and number; null clears it. */
  address?: string | null | undefined;
  /** City; null clears it. */
  city?: string | null | undefined;
  /** State or region; null clears it. */
  state?: string | null | undefined;
  /** Postal code; a number is taken as its decimal text; null clears it. */
  postal_code?: string | number | null | undefined;
  /** Country; null clears it. */
  country?: string | null | undefined;
  /** Chatling’s name of `company`. */
  company_name?: string | null | undefined;
  /** Chatling’s name of `website`. */
  website_url?: string | null | undefined;
  /** Its id in a system of the caller, unique in the chatbot. */
  external_id?: string | null | undefined;
  /** At most 50, 16384 bytes as JSON in all. They are merged; null clears one, or all. */
  attributes?: Record<string, string | number | boolean | null> | null | undefined;
  /** At most 50; kept in lower case, each once, sorted. A list replaces; an object changes. */
  tags?:
    | readonly string[]
    | { add?: readonly string[] | undefined; remove?: readonly string[] | undefined }
    | null
    | undefined;
}

/** Finds the contact to write: exactly one of the three. An e-mail matches in any letter case. */
export type ContactMatch =
  | {
      /** The id of the contact. */
      id: string;
      email?: never;
      external_id?: never;
    }
  | {
      /** Its e-mail address. */
      email: string;
      id?: never;
      external_id?: never;
    }
  | {
      /** Its id in a system of the caller. */
      external_id: string;
      id?: never;
      email?: never;
    };

/** One change. */
export interface BulkItem {
  /** The action. */
  op: 'create' | 'update' | 'upsert' | 'delete';
  /** The contact to update or delete. */
  id?: string | undefined;
  match?: ContactMatch | undefined;
  /** As for a single contact. */
  properties?: ContactProperties | undefined;
}

/** A mistake in a property. */
export interface FieldError {
  /** Its path in the item. */
  field: string;
  /** For a program. */
  code: string;
  /** For a person. */
  message: string;
}

/** The outcome of an item. If it failed, `code` and `message` say why, and `errors` names the wrong properties. */
export interface BulkResult {
  /** The place of the item, from 0. */
  index: number;
  /** The outcome. */
  outcome: 'created' | 'updated' | 'unchanged' | 'deleted' | 'failed';
  /** Opaque; a lower-case UUIDv7 when Roster made it, anything when it came from elsewhere. */
  id?: string;
  /** For a program. */
  code?: string;
  /** For a person. */
  message?: string;
  /** The contact that stays, where the code is `merged`. */
  merged_into?: string;
  /** One entry for each wrong property. */
  errors?: FieldError[];
}

/** A requirement of the contact: give one of `is`, `any_of` and `known`. */
export interface Condition {
  /**
   * `company`, `job_title`, `industry`, `city`, `state`, `country`, `email_domain`, `tags` or `attributes.NAME`;
   * with `known` also `name`, `email`, `phone` and `external_id`.
   */
  field: string;
  /** A whole value. Only attributes have numbers, true and false. An attribute must be of the same type. */
  is?: string | number | boolean;
  /** One of these values. */
  any_of?: (string | number | boolean)[];
  /** Whether there is any value. */
  known?: boolean;
}

/** Contacts who may be one person; every two of them are a pair. */
export interface Duplicates {
  /** How strong the reasons are. */
  band: 'certain' | 'likely';
  reasons: {
    /** The field that they share. */
    field: 'email' | 'phone' | 'name' | 'company' | 'email_domain';
    /** `same_digits`: the last nine digits. `same_words`: in any order. `one_side`: only one of them has a name. */
    match: 'same' | 'same_digits' | 'same_words' | 'one_side';
  }[];
  contacts: Contact[];
}

/** A contact, with the chatbot that has met them. */
export interface ContactInProject {
  /** Opaque; ten decimal digits when Roster made it, anything when it came from elsewhere. */
  chatbot_id: string;
  /** Opaque; a lower-case UUIDv7 when Roster made it, anything when it came from elsewhere. */
  id: string;
  /** Name; null when unknown, never empty. */
  name: string | null;
  /** E-mail address, as given; null when unknown, never empty. */
  email: string | null;
  /** Job title; null when unknown, never empty. */
  job_title: string | null;
  /** Telephone number, free text; null when unknown, never empty. */
  phone: string | null;
  /** Web address, as given; the scheme may be missing; null when unknown, never empty. */
  website: string | null;
  /** Company name; null when unknown, never empty. */
  company: string | null;
  /** Time of creation: UTC, whole seconds. */
  created_at: string;
  /** First name; null when unknown, never empty. */
  first_name?: string | null;
  /** Last name; null when unknown, never empty. */
  last_name?: string | null;
  /** Industry; null when unknown, never empty. */
  industry?: string | null;
  /** Street and number; null when unknown, never empty. */
  address?: string | null;
  /** City; null when unknown, never empty. */
  city?: string | null;
  /** State or region; null when unknown, never empty. */
  state?: string | null;
  /** Postal code; null when unknown, never empty. */
  postal_code?: string | null;
  /** Country; null when unknown, never empty. */
  country?: string | null;
  /** Its id in a system of the caller, unique in the chatbot; null when unknown. */
  external_id?: string | null;
  /** Values that the caller keeps about the contact; an empty object if there are none. */
  attributes?: Record<string, string | number | boolean>;
  /** In lower case, each once, sorted. */
  tags?: string[];
  /** Time of the last change: UTC, whole seconds; null when unknown. */
  updated_at?: string | null;
  /** When it was put into the bin: UTC, whole seconds. */
  deleted_at?: string;
}

/**
 * A contact in the bin has `deleted_at`; one that was merged has `merged_into`, and only its ids, its e-mail and
 * its times once the merge can no longer be undone. `replaced` has values that a merge replaced, for as long as
 * it can be undone.
 */
export interface DisclosedContact {
  /** Opaque; ten decimal digits when Roster made it, anything when it came from elsewhere. */
  chatbot_id: string;
  /** Opaque; a lower-case UUIDv7 when Roster made it, anything when it came from elsewhere. */
  id: string;
  /** Name; null when unknown, never empty. */
  name: string | null;
  /** E-mail address, as given; null when unknown, never empty. */
  email: string | null;
  /** Job title; null when unknown, never empty. */
  job_title: string | null;
  /** Telephone number, free text; null when unknown, never empty. */
  phone: string | null;
  /** Web address, as given; the scheme may be missing; null when unknown, never empty. */
  website: string | null;
  /** Company name; null when unknown, never empty. */
  company: string | null;
  /** Time of creation: UTC, whole seconds. */
  created_at: string;
  /** First name; null when unknown, never empty. */
  first_name?: string | null;
  /** Last name; null when unknown, never empty. */
  last_name?: string | null;
  /** Industry; null when unknown, never empty. */
  industry?: string | null;
  /** Street and number; null when unknown, never empty. */
  address?: string | null;
  /** City; null when unknown, never empty. */
  city?: string | null;
  /** State or region; null when unknown, never empty. */
  state?: string | null;
  /** Postal code; null when unknown, never empty. */
  postal_code?: string | null;
  /** Country; null when unknown, never empty. */
  country?: string | null;
  /** Its id in a system of the caller, unique in the chatbot; null when unknown. */
  external_id?: string | null;
  /** Values that the caller keeps about the contact; an empty object if there are none. */
  attributes?: Record<string, string | number | boolean>;
  /** In lower case, each once, sorted. */
  tags?: string[];
  /** Time of the last change: UTC, whole seconds; null when unknown. */
  updated_at?: string | null;
  /** When it was put into the bin: UTC, whole seconds. */
  deleted_at?: string;
  /** The contact into which it was merged. */
  merged_into?: string;
  /** When it was merged: UTC, whole seconds. */
  merged_at?: string;
  replaced?: {
    /** When a merge replaced them: UTC, whole seconds. */
    merged_at: string;
    /** By the names of the fields. */
    values: Record<string, string | number | boolean | string[]>;
  }[];
}

/** By whom it was done. */
export interface Actor {
  /** Its kind. */
  type: 'key' | 'member' | 'operator' | 'job';
  /**
   * The id of the key or the member, the name of the job, or `cli:USER` with the user of the command line; `cli`
   * where it is not known.
   */
  id: string;
}

/**
 * A change, by ids and names of fields. Keys that do not apply are null, except `count`, `receipt_id` and
 * `webhook_id`, which are missing.
 */
export interface Event {
  /** Unique. */
  id: string;
  /** A decimal number: without gaps in the project, in the order of commits. */
  sequence: string;
  /** The type of event. The set may grow. */
  type: EventType | (string & {});
  /** UTC, whole seconds. */
  occurred_at: string;
  actor: Actor;
  /** X-Request-Id of the request that did it. */
  request_id: string | null;
  /** The chatbot that it is about, or that has the contacts. */
  chatbot_id: string | null;
  /** The contact that it is about; of a merge, the one that stays. */
  contact_id: string | null;
  /** The contacts of an import, a bulk request or an erasure; of a merge, those that were merged. */
  contact_ids: string[] | null;
  /** The member that it is about. */
  member_id: string | null;
  /** The members of an import. */
  member_ids: string[] | null;
  /** The API key that it is about. */
  key_id: string | null;
  /** The names of the fields that were changed, in any of the contacts; never their values. */
  changed: string[] | null;
  /** Number of exported contacts. */
  count?: number;
  /** The receipt of an erasure. */
  receipt_id?: string;
  /** The webhook that it is about. */
  webhook_id?: string;
}

/** Posts events to a URL, signed by Standard Webhooks. */
export interface Webhook {
  /** Opaque. */
  id: string;
  /** URL that receives the events: https, at a public address. */
  url: string;
  /** Types of events, or patterns: `contact.*` is each type that begins with `contact.`. */
  events: EventPattern[];
  /** Only events about these chatbots and their contacts; null is everything. */
  chatbot_ids: string[] | null;
  /** `thin` is the event, without personal data; `full` adds the contact or the member as they are when it is sent. */
  payload: 'thin' | 'full';
  /** Free text for people. */
  description: string | null;
  /** `failing` from the first failed attempt to the next success; `disabled` after five days of failures. */
  state: 'active' | 'failing' | 'disabled';
  /** Time since which no attempt has succeeded; null while the webhook works. */
  failing_since: string | null;
  /**
   * Why nothing is sent: somebody wants it so, the receiver answered 410, it failed for five days, its maker is
   * gone or lost the right, or a backup was restored.
   */
  disabled_reason: 'requested' | 'gone' | 'failing' | 'maker_ended' | 'restored' | null;
  /** When the receiver last answered 2xx. */
  last_success_at: string | null;
  /** Time of the next retry; null if nothing waits. */
  next_attempt_at: string | null;
  /** Number of later events in the project, whether the webhook gets them or not. */
  behind: number;
}

/** A webhook, and its secret. */
export interface WebhookWithSecret {
  /** Opaque. */
  id: string;
  /** URL that receives the events: https, at a public address. */
  url: string;
  /** Types of events, or patterns: `contact.*` is each type that begins with `contact.`. */
  events: EventPattern[];
  /** Only events about these chatbots and their contacts; null is everything. */
  chatbot_ids: string[] | null;
  /** `thin` is the event, without personal data; `full` adds the contact or the member as they are when it is sent. */
  payload: 'thin' | 'full';
  /** Free text for people. */
  description: string | null;
  /** `failing` from the first failed attempt to the next success; `disabled` after five days of failures. */
  state: 'active' | 'failing' | 'disabled';
  /** Time since which no attempt has succeeded; null while the webhook works. */
  failing_since: string | null;
  /**
   * Why nothing is sent: somebody wants it so, the receiver answered 410, it failed for five days, its maker is
   * gone or lost the right, or a backup was restored.
   */
  disabled_reason: 'requested' | 'gone' | 'failing' | 'maker_ended' | 'restored' | null;
  /** When the receiver last answered 2xx. */
  last_success_at: string | null;
  /** Time of the next retry; null if nothing waits. */
  next_attempt_at: string | null;
  /** Number of later events in the project, whether the webhook gets them or not. */
  behind: number;
  /** Signs the requests; shown only here, and null in a repeat. */
  secret: string | null;
}

/** What came of a test. */
export interface WebhookTest {
  /** Whether the receiver answered 2xx. */
  delivered: boolean;
  /** HTTP status of the answer; null if there was none. */
  status: number | null;
  /** Milliseconds that the attempt took. */
  duration_ms: number;
  /** Why the attempt failed; null if it did not. */
  reason:
    | 'malformed'
    | 'scheme'
    | 'user_in_url'
    | 'unresolved'
    | 'forbidden_address'
    | 'no_connection'
    | 'tls'
    | 'timeout'
    | 'closed_early'
    | 'redirect'
    | 'status'
    | null;
}

/** An attempt to deliver an event. */
export interface Delivery {
  /** The id of the event, and the `webhook-id` of the request. */
  event_id: string;
  /** The type of the event. */
  type: EventType;
  /** Number of the attempt, from 1. */
  attempt: number;
  /** UTC, whole seconds. */
  at: string;
  /** HTTP status of the answer; null if there was none. */
  status: number | null;
  /** Why the attempt failed; null if it did not. */
  reason:
    | 'malformed'
    | 'scheme'
    | 'user_in_url'
    | 'unresolved'
    | 'forbidden_address'
    | 'no_connection'
    | 'tls'
    | 'timeout'
    | 'closed_early'
    | 'redirect'
    | 'status'
    | 'event_gone'
    | null;
  /** Milliseconds that the attempt took. */
  duration_ms: number;
  /** Time of the retry; null if there is none, or while the webhook is disabled. */
  next_attempt_at: string | null;
  /**
   * `retrying`: Roster will retry, for a disabled webhook once it is enabled; `failed`: a later attempt followed;
   * `given_up`: no retry, but a replay is possible.
   */
  outcome: 'delivered' | 'retrying' | 'failed' | 'given_up';
}

export interface GetLivenessResult {
  live: boolean;
}

export interface GetReadinessResult {
  ready: boolean;
}

export interface UpdateProjectSettingsInput {
  /** Its display name. */
  name: string;
}

export interface ListMembersInput {
  /** Page, from 1. Past the end the list is empty. */
  page?: number | undefined;
  /** Members on a page. */
  per_page?: number | undefined;
  /** Only members of this status, in any letter case. */
  status?: MemberStatus | undefined;
  /** Only members who hold this role, in any letter case. */
  role?: Role | undefined;
  /** Only the member of this address, without regard to letter case. */
  email?: string | undefined;
  /** Keys to show beside the three fields. */
  include?: readonly ('id' | 'invited_at' | 'joined_at')[] | undefined;
}

export interface ListMembersResult {
  pages: Pages;
  members: Member[];
}

export interface InviteMemberInput {
  /** Unique in the project without regard to letter case. */
  email: string;
  /** At least one, none twice. The ownership is handed over instead. */
  roles: readonly ('Admin' | 'Editor' | 'Analyst' | 'Agent' | 'Billing' | 'Viewer')[];
  /** How long the link can be used: 1h to 30d. */
  expires_in?: string | undefined;
}

export interface ReinviteMemberInput {
  /** A lower-case UUIDv7. */
  memberId: string;
  /** How long the link can be used: 1h to 30d. */
  expires_in?: string | undefined;
}

export interface ReinviteMemberResult {
  /** The link for the invited person, shown only now; null in a repeat. */
  invitation: {
    /** For the invited person and nobody else. */
    url: string;
    /** From this second on the link is refused: UTC, whole seconds. */
    expires_at: string;
  } | null;
}

export interface RetrieveMemberInput {
  /** A lower-case UUIDv7. */
  memberId: string;
}

export interface UpdateMemberInput {
  /** A lower-case UUIDv7. */
  memberId: string;
  /** Keep keys and invitations that exceed the remaining rights. */
  keep_keys?: boolean | undefined;
  /** Only name the keys and invitations that would end, and change nothing. */
  dry_run?: boolean | undefined;
  /** At least one, none twice. The ownership is handed over instead. */
  roles: readonly ('Admin' | 'Editor' | 'Analyst' | 'Agent' | 'Billing' | 'Viewer')[];
}

export interface RemoveMemberInput {
  /** A lower-case UUIDv7. */
  memberId: string;
  /** Keep keys and invitations that exceed the remaining rights. */
  keep_keys?: boolean | undefined;
  /** Only name the keys and invitations that would end, and change nothing. */
  dry_run?: boolean | undefined;
}

export interface AcceptInvitationInput {
  /** The part of the link after `#`. */
  token: string;
}

export interface ListChatbotsInput {
  /** Page, from 1. Past the end the list is empty. */
  page?: number | undefined;
  /** Chatbots on a page. */
  per_page?: number | undefined;
  /** Begins a walk with `*` and goes on with `next_cursor`; not beside `page`. */
  cursor?: string | undefined;
  /** Keys to show beside the five: `contact_count` is the number of contacts. */
  include?: readonly 'contact_count'[] | undefined;
}

export interface ListChatbotsResult {
  pages?: Pages;
  /** Where the walk goes on; null at its end. */
  next_cursor?: string | null;
  chatbots: Chatbot[];
}

export interface CreateChatbotInput {
  /** Its display name. */
  name: string;
}

export interface ListChatbotTemplatesInput {
  /** Page, from 1. Past the end the list is empty. */
  page?: number | undefined;
}

export interface ListChatbotTemplatesResult {
  pages: Pages;
  templates: Record<string, unknown>[];
}

export interface RetrieveChatbotInput {
  /** Opaque; ten decimal digits when Roster made it, anything when it came from elsewhere. */
  chatbotId: string;
  /** Keys to show beside the five: `contact_count` is the number of contacts. */
  include?: readonly 'contact_count'[] | undefined;
}

export interface UpdateChatbotInput {
  /** Opaque; ten decimal digits when Roster made it, anything when it came from elsewhere. */
  chatbotId: string;
  /** Its display name. */
  name?: string | undefined;
  /** Private unless it was changed. */
  visibility?: 'private' | 'public' | undefined;
}

export interface ListContactsInput {
  /** Opaque; ten decimal digits when Roster made it, anything when it came from elsewhere. */
  chatbotId: string;
  /** Page, from 1. Past the end the list is empty. */
  page?: number | undefined;
  /** Contacts on a page. */
  per_page?: number | undefined;
  /** By `created_at`, then by id in the same direction. */
  sort?: 'date_desc' | 'date_asc' | undefined;
  /** Begins a walk with `*` and goes on with `next_cursor`; not beside `page`. */
  cursor?: string | undefined;
  /** Contacts that are there, or those in the bin. */
  state?: 'active' | 'deleted' | undefined;
  /**
   * Keys to show beside those of every answer. `details` are first_name, last_name, industry, address, city, state,
   * postal_code, country.
   */
  include?: readonly ('details' | 'external_id' | 'attributes' | 'tags' | 'updated_at')[] | undefined;
}

export interface ListContactsResult {
  pages?: Pages;
  /** Where the walk goes on; null at its end. */
  next_cursor?: string | null;
  contacts: Contact[];
}

export interface CreateContactInput {
  /** Opaque; ten decimal digits when Roster made it, anything when it came from elsewhere. */
  chatbotId: string;
  properties: ContactProperties;
}

export interface CreateContactResult {
  /** Opaque; a lower-case UUIDv7 when Roster made it, anything when it came from elsewhere. */
  id: string;
}

export interface UpsertContactInput {
  /** Opaque; ten decimal digits when Roster made it, anything when it came from elsewhere. */
  chatbotId: string;
  /**
   * Keys to show beside those of every answer. `details` are first_name, last_name, industry, address, city, state,
   * postal_code, country.
   */
  include?: readonly ('details' | 'external_id' | 'attributes' | 'tags' | 'updated_at')[] | undefined;
  match: ContactMatch;
  properties?: ContactProperties | undefined;
}

export interface UpsertContactResult {
  /** The outcome. */
  outcome: 'created' | 'updated' | 'unchanged';
  /** The names of the keys whose values changed; empty when it was created. */
  changed: string[];
  /** Null in a repeat, where it is gone. */
  contact: Contact | null;
}

export interface BulkContactsInput {
  /** Opaque; ten decimal digits when Roster made it, anything when it came from elsewhere. */
  chatbotId: string;
  /** The action. */
  items: readonly BulkItem[];
}

export interface BulkContactsResult {
  /** Items that did not fail. */
  succeeded: number;
  /** Items that failed. */
  failed: number;
  /** A result for each item, in their order. */
  results: BulkResult[];
}

export interface LookUpContactsInput {
  /** Opaque; ten decimal digits when Roster made it, anything when it came from elsewhere. */
  chatbotId: string;
  /**
   * Keys to show beside those of every answer. `details` are first_name, last_name, industry, address, city, state,
   * postal_code, country.
   */
  include?: readonly ('details' | 'external_id' | 'attributes' | 'tags' | 'updated_at')[] | undefined;
  /** An e-mail address. */
  email?: string | undefined;
  /** A telephone number. */
  phone?: string | number | undefined;
  /** An id in a system of the caller. */
  external_id?: string | undefined;
  /** Ids of contacts, at most 100. */
  ids?: readonly string[] | undefined;
}

export interface LookUpContactsResult {
  contacts: Contact[];
}

export interface SearchContactsInput {
  /** Opaque; ten decimal digits when Roster made it, anything when it came from elsewhere. */
  chatbotId: string;
  /**
   * Keys to show beside those of every answer. `details` are first_name, last_name, industry, address, city, state,
   * postal_code, country.
   */
  include?: readonly ('details' | 'external_id' | 'attributes' | 'tags' | 'updated_at')[] | undefined;
  /** Beginnings of words, at most 10 of at most 64 characters. */
  query?: string | null | undefined;
  /**
   * `added_desc` is the most recently added first; `date_desc` and `date_asc` mean the same two. `updated_desc` and
   * `updated_asc` sort by `updated_at` and id, and only without `query`.
   */
  sort?: 'added_desc' | 'added_asc' | 'date_desc' | 'date_asc' | 'updated_desc' | 'updated_asc' | undefined;
  /** How many contacts. */
  limit?: number | undefined;
  /** Goes on with the `next_cursor` of the same search; `*` is the beginning. */
  cursor?: string | undefined;
  /** Only contacts with this tag, in any letter case. */
  tag?: string | undefined;
  /**
   * Conditions that must all hold, at most 10. Texts are compared whole, without letter case, accents, width and
   * runs of spaces.
   */
  where?: readonly Condition[] | undefined;
  /** Only contacts created later than this time. */
  created_after?: string | undefined;
  /** Only contacts created earlier than this time. */
  created_before?: string | undefined;
  /**
   * Only contacts changed at this time or later. To poll, begin sixty seconds before the newest `updated_at` that
   * you saw; the feed of events misses nothing.
   */
  updated_after?: string | undefined;
  /** Only contacts changed earlier than this time; those whose time of change is unknown are the oldest. */
  updated_before?: string | undefined;
  /** Counts all contacts that are found, up to 10000. */
  count?: boolean | undefined;
}

export interface SearchContactsResult {
  contacts: Contact[];
  /** Where the walk goes on; null at its end. */
  next_cursor: string | null;
  count?: {
    value: number;
    /** False where there are more than 10000. */
    exact: boolean;
  };
}

export interface FindDuplicatesInput {
  /** Opaque; ten decimal digits when Roster made it, anything when it came from elsewhere. */
  chatbotId: string;
  /** Only groups of this band. */
  band?: 'certain' | 'likely' | undefined;
  /** How many groups. */
  limit?: number | undefined;
  /** Goes on with the `next_cursor` of the same question; `*` is the beginning. */
  cursor?: string | undefined;
}

export interface FindDuplicatesResult {
  groups: Duplicates[];
  /** Where the walk goes on; null at its end. */
  next_cursor: string | null;
  /** A sequence of `/v2/events`. */
  as_of: string;
}

export interface DismissDuplicatesInput {
  /** Opaque; ten decimal digits when Roster made it, anything when it came from elsewhere. */
  chatbotId: string;
  /** Contacts of the chatbot. */
  contact_ids: readonly string[];
}

export interface RetrieveContactInput {
  /** Opaque; ten decimal digits when Roster made it, anything when it came from elsewhere. */
  chatbotId: string;
  /** Opaque; a lower-case UUIDv7 when Roster made it, anything when it came from elsewhere. */
  contactId: string;
  /**
   * Keys to show beside those of every answer. `details` are first_name, last_name, industry, address, city, state,
   * postal_code, country.
   */
  include?: readonly ('details' | 'external_id' | 'attributes' | 'tags' | 'updated_at')[] | undefined;
}

export interface UpdateContactInput {
  /** Opaque; ten decimal digits when Roster made it, anything when it came from elsewhere. */
  chatbotId: string;
  /** Opaque; a lower-case UUIDv7 when Roster made it, anything when it came from elsewhere. */
  contactId: string;
  /**
   * Keys to show beside those of every answer. `details` are first_name, last_name, industry, address, city, state,
   * postal_code, country.
   */
  include?: readonly ('details' | 'external_id' | 'attributes' | 'tags' | 'updated_at')[] | undefined;
  properties: ContactProperties;
}

export interface DeleteContactInput {
  /** Opaque; ten decimal digits when Roster made it, anything when it came from elsewhere. */
  chatbotId: string;
  /** Opaque; a lower-case UUIDv7 when Roster made it, anything when it came from elsewhere. */
  contactId: string;
  /** Whether it is deleted for good, also from the bin. */
  purge?: boolean | undefined;
}

export interface RestoreContactInput {
  /** Opaque; ten decimal digits when Roster made it, anything when it came from elsewhere. */
  chatbotId: string;
  /** Opaque; a lower-case UUIDv7 when Roster made it, anything when it came from elsewhere. */
  contactId: string;
  /**
   * Keys to show beside those of every answer. `details` are first_name, last_name, industry, address, city, state,
   * postal_code, country.
   */
  include?: readonly ('details' | 'external_id' | 'attributes' | 'tags' | 'updated_at')[] | undefined;
}

export interface MergeContactsInput {
  /** Opaque; ten decimal digits when Roster made it, anything when it came from elsewhere. */
  chatbotId: string;
  /** Opaque; a lower-case UUIDv7 when Roster made it, anything when it came from elsewhere. */
  contactId: string;
  /** Only tell what a merge would do, and store nothing; `merge_id` is then null. */
  dry_run?: boolean | undefined;
  /**
   * Keys to show beside those of every answer. `details` are first_name, last_name, industry, address, city, state,
   * postal_code, country.
   */
  include?: readonly ('details' | 'external_id' | 'attributes' | 'tags' | 'updated_at')[] | undefined;
  /** Ids of the contacts to merge into this one. */
  from: readonly string[];
  /** For a field, the id of the contact whose value stays. */
  keep?: Record<string, string> | undefined;
}

export interface MergeContactsResult {
  /** The id of the merge; an undo needs it. */
  merge_id: string | null;
  /** Until when the merge can be undone; null where there is no bin. */
  undo_until: string | null;
  /** Null in a repeat if the contact is gone. */
  contact: Contact | null;
  /** For each field that was taken, the id of the contact that had the value. */
  taken: Record<string, string>;
  /** Values that the merge hides. */
  lost: {
    /** The field. */
    field: string;
    /** The contact that had the value. */
    contact_id: string;
  }[];
}

export interface UndoMergeInput {
  /** Opaque; ten decimal digits when Roster made it, anything when it came from elsewhere. */
  chatbotId: string;
  /** The id of the merge; an undo needs it. */
  mergeId: string;
  /**
   * Keys to show beside those of every answer. `details` are first_name, last_name, industry, address, city, state,
   * postal_code, country.
   */
  include?: readonly ('details' | 'external_id' | 'attributes' | 'tags' | 'updated_at')[] | undefined;
}

export interface UndoMergeResult {
  /** The one that stayed comes first. */
  contacts: Contact[];
  /** Fields that were changed since, and so did not go back. */
  kept: string[];
}

export interface SearchAllContactsInput {
  /**
   * Keys to show beside those of every answer. `details` are first_name, last_name, industry, address, city, state,
   * postal_code, country.
   */
  include?: readonly ('details' | 'external_id' | 'attributes' | 'tags' | 'updated_at')[] | undefined;
  /** Only contacts of these chatbots, at most 100; missing means all. */
  chatbot_ids?: readonly string[] | undefined;
  /** Beginnings of words, at most 10 of at most 64 characters. */
  query?: string | null | undefined;
  /**
   * `added_desc` is the most recently added first; `date_desc` and `date_asc` mean the same two. `updated_desc` and
   * `updated_asc` sort by `updated_at` and id, and only without `query`.
   */
  sort?: 'added_desc' | 'added_asc' | 'date_desc' | 'date_asc' | 'updated_desc' | 'updated_asc' | undefined;
  /** How many contacts. */
  limit?: number | undefined;
  /** Goes on with the `next_cursor` of the same search; `*` is the beginning. */
  cursor?: string | undefined;
  /** Only contacts with this tag, in any letter case. */
  tag?: string | undefined;
  /**
   * Conditions that must all hold, at most 10. Texts are compared whole, without letter case, accents, width and
   * runs of spaces.
   */
  where?: readonly Condition[] | undefined;
  /** Only contacts created later than this time. */
  created_after?: string | undefined;
  /** Only contacts created earlier than this time. */
  created_before?: string | undefined;
  /**
   * Only contacts changed at this time or later. To poll, begin sixty seconds before the newest `updated_at` that
   * you saw; the feed of events misses nothing.
   */
  updated_after?: string | undefined;
  /** Only contacts changed earlier than this time; those whose time of change is unknown are the oldest. */
  updated_before?: string | undefined;
  /** Counts all contacts that are found, up to 10000. */
  count?: boolean | undefined;
}

export interface SearchAllContactsResult {
  contacts: ContactInProject[];
  /** Where the walk goes on; null at its end. */
  next_cursor: string | null;
  count?: {
    value: number;
    /** False where there are more than 10000. */
    exact: boolean;
  };
}

export interface LookUpAllContactsInput {
  /**
   * Keys to show beside those of every answer. `details` are first_name, last_name, industry, address, city, state,
   * postal_code, country.
   */
  include?: readonly ('details' | 'external_id' | 'attributes' | 'tags' | 'updated_at')[] | undefined;
  /** An e-mail address. */
  email?: string | undefined;
  /** A telephone number. */
  phone?: string | number | undefined;
  /** An id in a system of the caller. */
  external_id?: string | undefined;
  /** Ids of contacts, at most 100. */
  ids?: readonly string[] | undefined;
}

export interface LookUpAllContactsResult {
  contacts: ContactInProject[];
}

export interface DiscloseContactsInput {
  /** An e-mail address. */
  email?: string | undefined;
  /** A telephone number. */
  phone?: string | number | undefined;
  /** An id in a system of the caller. */
  external_id?: string | undefined;
  /** Contacts of the project, at most 100. */
  contacts?:
    | readonly {
        /** Opaque; ten decimal digits when Roster made it, anything when it came from elsewhere. */
        chatbot_id: string;
        /** Opaque; a lower-case UUIDv7 when Roster made it, anything when it came from elsewhere. */
        id: string;
      }[]
    | undefined;
}

export interface DiscloseContactsResult {
  contacts: DisclosedContact[];
  deleted: DisclosedContact[];
  events: Event[];
}

export interface EraseContactsInput {
  /** Only tell how many contacts it would erase; `receipt_id` and `erased_at` are then null. */
  dry_run?: boolean | undefined;
  /** Contacts of the project, at most 100. */
  contacts: readonly {
    /** Opaque; ten decimal digits when Roster made it, anything when it came from elsewhere. */
    chatbot_id: string;
    /** Opaque; a lower-case UUIDv7 when Roster made it, anything when it came from elsewhere. */
    id: string;
  }[];
  /** A name for the request, such as its number. */
  reference?: string | undefined;
}

export interface EraseContactsResult {
  /** The receipt of an erasure. */
  receipt_id: string | null;
  /** UTC, whole seconds. */
  erased_at: string | null;
  /** How many of the given contacts were there. */
  contacts: number;
  /** As it was given. */
  reference: string | null;
}

export interface ListEventsInput {
  /** The `next_cursor` of an earlier answer; `*` begins at the oldest event. */
  after?: string | undefined;
  /** Maximum number of events. */
  limit?: number | undefined;
  /** Only events of these types. `contact.*` means all that begin with `contact.`. */
  type?: readonly EventPattern[] | undefined;
  /** Only events about this chatbot or its contacts. */
  chatbot_id?: string | undefined;
  /** Only what such actors did. */
  actor_type?: 'key' | 'member' | 'operator' | 'job' | undefined;
  /** Only what this key, member, job or user of the command line did; `cli` means every such user. */
  actor_id?: string | undefined;
  /** Only events about this contact, alone or among others. */
  contact_id?: string | undefined;
  /** Only events about this member, alone or among others. */
  member_id?: string | undefined;
  /** Only events of this time or later. */
  occurred_after?: string | undefined;
  /** Only events earlier than this time. */
  occurred_before?: string | undefined;
  /** Oldest or newest first. A cursor goes on in its own order only. */
  order?: 'asc' | 'desc' | undefined;
  /** Seconds to wait for such an event if there is none yet; not with `order=desc`. */
  wait?: number | undefined;
}

export interface ListEventsResult {
  events: Event[];
  /** Where to go on. Null once a list with `order=desc` has come to the oldest event; else never null. */
  next_cursor: string | null;
}

export interface ListWebhooksInput {
  /** Page, from 1. Past the end the list is empty. */
  page?: number | undefined;
  /** Webhooks on a page. */
  per_page?: number | undefined;
}

export interface ListWebhooksResult {
  pages: Pages;
  webhooks: Webhook[];
}

export interface CreateWebhookInput {
  /** URL that receives the events: https, at a public address. */
  url: string;
  /** Types of events, or patterns: `contact.*` is each type that begins with `contact.`. */
  events: readonly EventPattern[];
  /** Only events about these chatbots and their contacts; null is everything. */
  chatbot_ids?: readonly string[] | null | undefined;
  /** `thin` is the event, without personal data; `full` adds the contact or the member as they are when it is sent. */
  payload?: 'thin' | 'full' | undefined;
  /** Free text for people. */
  description?: string | null | undefined;
}

export interface RetrieveWebhookInput {
  /** Opaque. */
  webhookId: string;
}

export interface UpdateWebhookInput {
  /** Opaque. */
  webhookId: string;
  /** URL that receives the events: https, at a public address. */
  url?: string | undefined;
  /** Types of events, or patterns: `contact.*` is each type that begins with `contact.`. */
  events?: readonly EventPattern[] | undefined;
  /** Only events about these chatbots and their contacts; null is everything. */
  chatbot_ids?: readonly string[] | null | undefined;
  /** `thin` is the event, without personal data; `full` adds the contact or the member as they are when it is sent. */
  payload?: 'thin' | 'full' | undefined;
  /** Free text for people. */
  description?: string | null | undefined;
  /** `active` goes on from where it was; `disabled` sends nothing. */
  state?: 'active' | 'disabled' | undefined;
}

export interface DeleteWebhookInput {
  /** Opaque. */
  webhookId: string;
}

export interface TestWebhookInput {
  /** Opaque. */
  webhookId: string;
}

export interface RotateWebhookInput {
  /** Opaque. */
  webhookId: string;
  /** For how long the old secret signs too; `0s` ends it at once. */
  overlap?: string | undefined;
}

export interface ReplayWebhookInput {
  /** Opaque. */
  webhookId: string;
  /** A `next_cursor` of `GET /v2/events`; `*` is before the oldest event. */
  after?: string | undefined;
  /** Everything of this time or later. */
  since?: string | undefined;
}

export interface ListDeliveriesInput {
  /** Opaque. */
  webhookId: string;
  /** Goes on with `next_cursor`; `*` begins with the newest. */
  cursor?: string | undefined;
  /** Only attempts that failed. */
  failed?: boolean | undefined;
}

export interface ListDeliveriesResult {
  deliveries: Delivery[];
  /** Where the walk goes on; null at its end. */
  next_cursor: string | null;
}
