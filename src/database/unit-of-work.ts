import type { NewEvent } from '../events/event.ts';
import type { OnAsked, Reads, Store, UnitOfWork } from '../store.ts';
import type { Acknowledged } from './acknowledged.ts';
import { apiKeyReads, apiKeyWrites } from './api-keys.ts';
import { sharedTransactions, type WriteScope } from './batching/shared-transactions.ts';
import { chatbotReads, chatbotWrites, type KnownChatbots, knownChatbots } from './chatbots.ts';
import { contactReads, contactWrites } from './contacts.ts';
import type { Access, Database, Transaction } from './database.ts';
import { duplicateReads, duplicateWrites } from './duplicates.ts';
import { eventReads } from './event-pages.ts';
import { addedBy, eventWrites, type LastEvent, type Recorded, recordEvents } from './events.ts';
import { idempotencyKeys } from './idempotency.ts';
import { importWalkReads, importWalkWrites } from './import-walks.ts';
import { instrumented, lazily } from './instrumented.ts';
import { memberReads, memberWrites } from './members.ts';
import { projectReads, projectWrites } from './projects.ts';
import { roomFor } from './room.ts';
import { signInReads, signInWrites } from './sign-in.ts';
import { webhookReads, webhookWrites } from './webhooks.ts';

export function unitsOfWork(
  database: Database,
  onAsked: OnAsked,
  binDays: number,
  acknowledge: (commit: Acknowledged) => void,
): Store['write'] {
  const share = sharedTransactions<Part, KnownChatbots>(database, { begin, end: recordAll });
  return async (actor, work, signal, chatbotIds = []) => {
    const { projectId } = actor;
    const part = async (connection: Transaction, known: KnownChatbots): Promise<Part> => {
      const given = { access: { ...connection, durable: async () => undefined }, connection, known, binDays };
      const unit = lazily(ports, (make) => make(given)) as UnitOfWork;
      const { output, changes } = await work(instrumented(unit, onAsked));
      if (signal?.aborted !== true) noteAdded(known, projectId, changes);
      return { output, changes, actor };
    };
    // Locked in one order, so that writes of several chatbots do not wait for each other.
    const sorted = chatbotIds.toSorted();
    const chatbotId = sorted.length === 1 ? sorted[0] : undefined;
    const { output, lastEvent } = await share({ projectId, chatbotId, chatbotIds: sorted }, part, signal);
    const place = await lastEvent?.place;
    if (lastEvent && place) acknowledge({ projectId, sequence: BigInt(place.last), feed: place.feed, ...lastEvent });
    return output as never;
  };
}

function noteAdded({ added }: KnownChatbots, projectId: string, changes: readonly NewEvent[]): void {
  for (const more of addedBy(changes).values()) added.set(projectId, (added.get(projectId) ?? 0) + more);
}

/** A write locks its chatbots first, as imports do, and its project last: two processes never wait for each other. */
async function begin(connection: Transaction, { projectId, chatbotIds }: WriteScope): Promise<KnownChatbots> {
  const known = knownChatbots(connection);
  for (const chatbotId of chatbotIds) await known.lock(projectId, chatbotId);
  return known;
}

interface Part extends Recorded {
  output: unknown;
  /** Set only on a project's last part. */
  lastEvent?: LastEvent | undefined;
}

function recordAll(connection: Transaction, parts: readonly Part[]): void {
  for (const [projectId, own] of Map.groupBy(parts, ({ actor }) => actor.projectId)) {
    const last = own.at(-1);
    if (last) last.lastEvent = recordEvents(connection, projectId, own);
  }
}

export function readsOn(access: Access, binDays: number): Reads {
  return {
    projects: projectReads(access),
    chatbots: chatbotReads(access),
    members: memberReads(access),
    contacts: contactReads(access, binDays),
    duplicates: duplicateReads(access),
    importWalks: importWalkReads(access),
    apiKeys: apiKeyReads(access),
    signIn: signInReads(access),
    events: eventReads(access),
    webhooks: webhookReads(access),
  };
}

interface Given {
  access: Access;
  connection: Transaction;
  known: KnownChatbots;
  binDays: number;
}

const ports: { readonly [Name in keyof UnitOfWork]: (given: Given) => UnitOfWork[Name] } = {
  projects: ({ access, connection }) => ({ ...projectReads(access), ...projectWrites(connection) }),
  chatbots: ({ access, connection, known }) => ({
    ...chatbotReads(access),
    ...known.reads,
    ...chatbotWrites(connection, known.forget),
  }),
  members: ({ access, connection }) => ({ ...memberReads(access), ...memberWrites(connection) }),
  contacts: ({ access, connection, known, binDays }) => ({
    ...contactReads(access, binDays),
    ...contactWrites(connection, binDays),
    room: roomFor(connection, known),
  }),
  duplicates: ({ access, connection }) => ({ ...duplicateReads(access), ...duplicateWrites(connection) }),
  importWalks: ({ access, connection }) => ({ ...importWalkReads(access), ...importWalkWrites(connection) }),
  apiKeys: ({ access, connection }) => ({ ...apiKeyReads(access), ...apiKeyWrites(connection) }),
  signIn: ({ access, connection }) => ({ ...signInReads(access), ...signInWrites(connection) }),
  events: ({ access, connection }) => ({ ...eventReads(access), ...eventWrites(connection) }),
  webhooks: ({ access, connection }) => ({ ...webhookReads(access), ...webhookWrites(connection) }),
  idempotency: ({ connection }) => idempotencyKeys(connection),
};
