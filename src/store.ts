import type { ApiKeyStore } from './api-keys.ts';
import type { ChatbotStore } from './chatbots.ts';
import type { ContactStore } from './contacts.ts';
import type { MemberStore } from './members.ts';
import type { ProjectStore } from './projects.ts';

/** Everything that is kept, as promises about it; the engines keep them in `database/`. */
export interface Store
  extends ProjectStore, ChatbotStore, MemberStore, ContactStore, ApiKeyStore, AsyncDisposable {
  /**
   * A number that is another one as soon as anything has changed that is kept here, by whomever: what was asked for
   * after it holds while it is the same. Undefined where nothing can be known without asking again.
   */
  version(): number | undefined;
  /** Throws `unavailable` unless the engine answers and its schema is the one of this program. */
  ready(): Promise<void>;
}
