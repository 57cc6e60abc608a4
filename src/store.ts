import type { Actor } from './actor.ts';
import type { ApiKeyReads, ApiKeyWrites } from './api-keys/store.ts';
import type { ChatbotReads, ChatbotWrites } from './chatbots/store.ts';
import type { DuplicateReads, DuplicateWrites } from './contacts/duplicates/store.ts';
import type { ImportWalkReads, ImportWalkWrites } from './contacts/import-walk.ts';
import type { ContactReads, ContactWrites } from './contacts/store.ts';
import type { ErrorCode } from './errors.ts';
import type { EventReads, EventWatch, EventWrites, Written } from './events/event.ts';
import type { IdempotencyKeys } from './idempotency.ts';
import type { MemberReads, MemberWrites } from './members/store.ts';
import type { ProjectReads, ProjectWrites } from './projects/store.ts';
import type { Session } from './sign-in/session.ts';
import type { SignInReads, SignInWrites } from './sign-in/store.ts';
import type { Upkeep } from './upkeep.ts';
import type { Timestamp } from './values/timestamp.ts';
import type { WebhookReads, WebhookWrites } from './webhooks/store.ts';

export interface Reads {
  readonly projects: ProjectReads;
  readonly chatbots: ChatbotReads;
  readonly members: MemberReads;
  readonly contacts: ContactReads;
  readonly duplicates: DuplicateReads;
  readonly importWalks: ImportWalkReads;
  readonly apiKeys: ApiKeyReads;
  readonly signIn: SignInReads;
  readonly events: EventReads;
  readonly webhooks: WebhookReads;
}

/** One transaction over all nouns. What it reads includes what it wrote. */
export interface UnitOfWork extends Reads {
  readonly projects: ProjectReads & ProjectWrites;
  readonly chatbots: ChatbotReads & ChatbotWrites;
  readonly members: MemberReads & MemberWrites;
  readonly contacts: ContactReads & ContactWrites;
  readonly duplicates: DuplicateReads & DuplicateWrites;
  readonly importWalks: ImportWalkReads & ImportWalkWrites;
  readonly apiKeys: ApiKeyReads & ApiKeyWrites;
  readonly signIn: SignInReads & SignInWrites;
  readonly events: EventReads & EventWrites;
  readonly webhooks: WebhookReads & WebhookWrites;
  readonly idempotency: IdempotencyKeys;
}

export interface Store extends Reads, AsyncDisposable {
  /** Commits all of `work` with its events, or nothing. Throws what `work` throws, `unavailable`, `outcome_unknown`. */
  write<Output>(
    actor: Actor,
    work: (unit: UnitOfWork) => Promise<Written<Output>>,
    /** Rolls back when it is aborted. */
    signal?: AbortSignal,
    /** Nobody else writes the contacts of these meanwhile. */
    chatbotIds?: readonly string[],
  ): Promise<Output>;
  /** At most 1,000 keys. Unimportant, as the next is: neither records an event. */
  touchApiKeys(keys: readonly { projectId: string; keyId: string }[], at: Timestamp): Promise<void>;
  touchSession(session: Session, at: Timestamp): Promise<void>;
  readonly watch: EventWatch;
  readonly upkeep: Upkeep;
  /** Events that this process acknowledged and a failover has lost; each loss once. */
  lostEvents(): Promise<LostEvents[]>;
  state(): StoreState;
  /** Throws `unavailable` unless the engine answers and its schema is that of this program. */
  ready(): Promise<void>;
}

export interface LostEvents {
  projectId: string;
  /** First and last sequence; events of other processes may lie between. */
  from: bigint;
  to: bigint;
  count: number;
}

export type OnAsked = (operation: string, durationMs: number, failure?: ErrorCode | 'internal') => void;

export interface StoreState {
  files?: { databaseBytes: number; walBytes: number } | undefined;
  pools: readonly PoolState[];
}

export interface PoolState {
  name: string;
  max: number;
  used: number;
  idle: number;
  waiting: number;
}
