import { setImmediate as nextTurn } from 'node:timers/promises';

import { AppError } from '../../errors.ts';
import { giveWay } from '../../values/give-way.ts';
import { type Database, type Queued, type Transaction, TransactionLost } from '../database.ts';
import { unlessAborted } from './abort.ts';
import { through } from './through.ts';
import { openWriteBehind, type WriteBehind } from './write-behind.ts';

/** The subject of a write: writes of one chatbot wait for each other. A write of several has no `chatbotId`. */
export interface WriteScope {
  projectId: string;
  chatbotId?: string | undefined;
  chatbotIds: readonly string[];
}

interface Entry<Part, State> {
  subject: WriteScope;
  work: (connection: Transaction, state: State) => Promise<Part>;
  signal: AbortSignal | undefined;
  settle: PromiseWithResolvers<Part>;
}

type Outcome<Part> = { part: Part } | { error: unknown };

/** PostgreSQL remembers 64 subtransactions of a transaction at little cost. */
const together = 50;
const togetherMs = 100;

interface Frame<Part, State> {
  begin: (connection: Transaction, subject: WriteScope) => Promise<State>;
  end: (connection: Transaction, parts: readonly Part[]) => void;
}

/** Works of a queue share a transaction. An error undoes its work alone, as does a signal while the work runs. */
export function sharedTransactions<Part, State>(database: Database, frame: Frame<Part, State>) {
  const queues = new Map<string, Entry<Part, State>[]>();
  const drain = async (queue: string | undefined, waiting: Entry<Part, State>[]) => {
    // What arrives in one turn, or while a transaction of the queue runs, shares one commit and one sync.
    await nextTurn();
    while (waiting.length > 0) {
      const { promise: isCommitting, resolve: onCommitting } = Promise.withResolvers<void>();
      const queued = { queue, onCommitting };
      await Promise.race([runOrSplit(database, waiting, { ...frame, queued }), isCommitting]);
    }
    if (queue !== undefined) queues.delete(queue);
  };
  const join = (entry: Entry<Part, State>): Entry<Part, State>[] => {
    const queue = database.queueOf(entry.subject);
    const others = queue === undefined ? undefined : queues.get(queue);
    if (others) {
      others.push(entry);
      return others;
    }
    const waiting = [entry];
    if (queue !== undefined) queues.set(queue, waiting);
    void drain(queue, waiting);
    return waiting;
  };
  return (subject: WriteScope, work: Entry<Part, State>['work'], signal?: AbortSignal): Promise<Part> => {
    const entry: Entry<Part, State> = { subject, work, signal, settle: Promise.withResolvers<Part>() };
    const waiting = join(entry);
    if (!signal) return entry.settle.promise;
    const giveUp = () => {
      const place = waiting.indexOf(entry);
      if (place < 0) return;
      waiting.splice(place, 1);
      entry.settle.reject(signal.reason);
    };
    signal.addEventListener('abort', giveUp);
    // A job has one signal for all its writes.
    return entry.settle.promise.finally(() => signal.removeEventListener('abort', giveUp));
  };
}

/** If the whole fails, such as by a row that the engine refuses, one work is the cause: each then runs alone. */
async function runOrSplit<Part, State>(
  database: Database,
  queue: Entry<Part, State>[],
  frame: Frame<Part, State> & { queued: Queued },
): Promise<void> {
  const before = new Set(queue);
  const batch: Entry<Part, State>[] = [];
  const failure = await runTogether(database, { queue, batch }, frame);
  if (failure === undefined) return;
  if (batch.length === 0) batch.push(...queue.splice(0, queue.findLastIndex((entry) => before.has(entry)) + 1));
  if (batch.length === 1 || failure.error instanceof AppError) {
    for (const { settle } of batch) settle.reject(failure.error);
    return;
  }
  for (const entry of batch) await runOrSplit(database, [entry], frame);
}

async function runTogether<Part, State>(
  database: Database,
  { queue, batch }: Record<'queue' | 'batch', Entry<Part, State>[]>,
  { begin, end, queued }: Frame<Part, State> & { queued: Queued },
): Promise<{ error: unknown } | undefined> {
  const outcomes: Outcome<Part>[] = [];
  const work = async (connection: Transaction) => {
    const [first] = queue;
    if (!first) return;
    const state = await begin(losing(connection), first.subject);
    // Take them only now: aborted entries may still leave the queue.
    batch.push(...queue.splice(0, together));
    if (batch.length === 0) return;
    const writes = openWriteBehind(connection, batch.length === 1);
    const endsAt = performance.now() + togetherMs;
    for (const entry of batch) {
      await giveWay();
      if (outcomes.length > 0 && performance.now() > endsAt) break;
      outcomes.push(await outcomeOf(entry, writes, state));
    }
    queue.unshift(...batch.splice(outcomes.length));
    const parts = outcomes.flatMap((outcome) => ('part' in outcome ? [outcome.part] : []));
    connection.beforeCommit(writes.flush());
    end(connection, parts);
  };
  try {
    await database.transaction(work, queued);
  } catch (error) {
    return { error: reasonOf(error) };
  }
  batch.forEach(({ settle }, place) => {
    const outcome = outcomes[place];
    if (outcome && 'part' in outcome) settle.resolve(outcome.part);
    else settle.reject(outcome?.error);
  });
  return undefined;
}

/** A statement outside the works ends the transaction if it fails. */
function losing(connection: Transaction): Transaction {
  return through(connection, (ask) =>
    ask().catch((cause: unknown) => {
      throw new TransactionLost('', { cause });
    }),
  );
}

function reasonOf(error: unknown): unknown {
  return error instanceof TransactionLost ? reasonOf(error.cause) : error;
}

async function outcomeOf<Part, State>(
  { work, signal }: Entry<Part, State>,
  writes: WriteBehind,
  state: State,
): Promise<Outcome<Part>> {
  try {
    const part = await writes.within(async (connection) => {
      signal?.throwIfAborted();
      const done = await unlessAborted(work(connection, state), signal);
      signal?.throwIfAborted();
      return done;
    });
    return { part };
  } catch (error) {
    if (error instanceof TransactionLost) throw error;
    return { error };
  }
}
