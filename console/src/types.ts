import type { Event } from '../../clients/typescript/src/generated/types.ts';

/** The answers of the API that the console reads. */
export type {
  Chatbot,
  Event,
  EventType,
  ListChatbotsResult,
  ListEventsResult,
  ProjectSettings,
  Role,
  Scope,
  Usage,
  WholeMember as Member,
} from '../../clients/typescript/src/generated/types.ts';

export interface Link {
  url: string;
  expires_at: string;
}

export interface Key {
  id: string;
  name: string;
  scopes: string[];
  last4: string;
  created_at: string;
  /** Written at most every five minutes. */
  last_used_at: string | null;
  expires_at: string | null;
  revoked_at: string | null;
  replaced_by: string | null;
  created_by: Event['actor'] | null;
}
