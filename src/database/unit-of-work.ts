import type { OnAsked, Reads, Store, UnitOfWork } from '../store.ts';
import { apiKeyReads, apiKeyWrites } from './api-keys.ts';
import { sharedTransactions, type Subject } from './batching/shared-transactions.ts';
import { chatbotReads, chatbotWrites, type KnownChatbots, knownChatbots } from './chatbots.ts';
import { contactReads, contactWrites } from './contacts.ts';
import type { Access, Database, Transaction } from './database.ts';
import { eventReads, eventWrites, type Recorded, recordEvents } from './events.ts';
import { idempotencyKeys } from './idempotency.ts';
import { importWalkReads, importWalkWrites } from './import-walks.ts';
import { instrumentedPort } from './instrumented.ts';
import { memberReads, memberWrites } from './members.ts';
import { projectReads, projectWrites } from './projects.ts';
import { signInReads, signInWrites } from './sign-in.ts';

export function unitsOfWork(database: Database, onAsked: OnAsked, binDays: number): Store['write'] {
  const share = sharedTransactions<Part, KnownChatbots>(database, { begin: lockChatbot, end: recordAll });
  return async (actor, work, signal, chatbotId) => {
    const { projectId } = actor;
    const part = async (connection: Transaction, known: KnownChatbots): Promise<Part> => {
      const { output, changes } = await work(new Unit(connection, binDays, onAsked, known));
      return { output, changes, actor };
    };
    return (await share({ projectId, chatbotId }, part, signal)).output as never;
  };
}

/** A write locks its chatbot first, as imports do, and its project last: two processes never wait for each other. */
async function lockChatbot(connection: Transaction, { projectId, chatbotId }: Subject): Promise<KnownChatbots> {
  const known = knownChatbots(connection);
  if (chatbotId !== undefined) await known.lock(projectId, chatbotId);
  return known;
}

interface Part extends Recorded {
  output: unknown;
}

function recordAll(connection: Transaction, parts: readonly Part[]): void {
  for (const [projectId, own] of Map.groupBy(parts, ({ actor }) => actor.projectId)) {
    recordEvents(connection, projectId, own);
  }
}

export function readsOn(access: Access, binDays: number): Reads {
  return {
    projects: projectReads(access),
    chatbots: chatbotReads(access),
    members: memberReads(access),
    contacts: contactReads(access, binDays),
    importWalks: importWalkReads(access),
    apiKeys: apiKeyReads(access),
    signIn: signInReads(access),
    events: eventReads(access),
  };
}

/** Makes a port when work asks for it: most works ask for one or two. */
class Unit implements UnitOfWork {
  readonly #access: Access;
  readonly #connection: Transaction;
  readonly #binDays: number;
  readonly #onAsked: OnAsked;
  readonly #known: KnownChatbots;

  constructor(connection: Transaction, binDays: number, onAsked: OnAsked, known: KnownChatbots) {
    this.#access = { ...connection, durable: async () => undefined };
    this.#connection = connection;
    this.#binDays = binDays;
    this.#onAsked = onAsked;
    this.#known = known;
  }

  get projects() {
    return this.#port('projects', { ...projectReads(this.#access), ...projectWrites(this.#connection) });
  }

  get chatbots() {
    const writes = chatbotWrites(this.#connection, this.#known.forget);
    return this.#port('chatbots', { ...chatbotReads(this.#access), ...this.#known.reads, ...writes });
  }

  get members() {
    return this.#port('members', { ...memberReads(this.#access), ...memberWrites(this.#connection) });
  }

  get contacts() {
    const writes = contactWrites(this.#connection, this.#binDays);
    return this.#port('contacts', { ...contactReads(this.#access, this.#binDays), ...writes });
  }

  get importWalks() {
    return this.#port('importWalks', { ...importWalkReads(this.#access), ...importWalkWrites(this.#connection) });
  }

  get apiKeys() {
    return this.#port('apiKeys', { ...apiKeyReads(this.#access), ...apiKeyWrites(this.#connection) });
  }

  get signIn() {
    return this.#port('signIn', { ...signInReads(this.#access), ...signInWrites(this.#connection) });
  }

  get events() {
    return this.#port('events', { ...eventReads(this.#access), ...eventWrites(this.#connection) });
  }

  get idempotency() {
    return this.#port('idempotency', idempotencyKeys(this.#connection));
  }

  #port<Port extends object>(name: string, port: Port): Port {
    return instrumentedPort(name, port, this.#onAsked);
  }
}
