import type { ApiKeyStore } from './api-keys/api-key.ts';
import type { ChatbotStore } from './chatbots/chatbot.ts';
import type { ContactStore } from './contacts/store.ts';
import type { ErrorCode } from './errors.ts';
import type { MemberStore } from './members/store.ts';
import type { ProjectStore } from './projects/project.ts';

/** Everything that is kept, as promises about it; the engines keep them in `database/`. */
export interface Store
  extends ProjectStore, ChatbotStore, MemberStore, ContactStore, ApiKeyStore, AsyncDisposable {
  /**
   * A number that is another one as soon as anything has changed that is kept here, by whomever: what was asked for
   * after it holds while it is the same. Undefined where nothing can be known without asking again.
   */
  version(): number | undefined;
  /** What the engine tells of itself now. */
  state(): StoreState;
  /** Throws `unavailable` unless the engine answers and its schema is the one of this program. */
  ready(): Promise<void>;
}

/** Told of each question to the store once it is answered; of one that failed, with the kind of its failure. */
export type OnAsked = (operation: string, durationMs: number, failure?: ErrorCode | 'internal') => void;

/** For whoever watches a store: nothing of what is kept in it. */
export interface StoreState {
  /** Undefined where the database is no file. */
  files?: { databaseBytes: number; walBytes: number } | undefined;
  /** None where there are no connections. */
  pools: readonly PoolState[];
}

/** Connections that are used in one way. */
export interface PoolState {
  name: string;
  max: number;
  used: number;
  idle: number;
  /** What cannot go on yet. */
  waiting: number;
}
