import type { Actor } from './actor.ts';
import { AppError } from './errors.ts';
import type { Written } from './events/event.ts';
import { idempotencyHours } from './idempotency.ts';
import type { Ran, RunOptions, WriteOperation } from './operation.ts';
import { unrevised } from './revision.ts';
import type { Store, UnitOfWork } from './store.ts';
import { addSeconds, formatTimestamp } from './values/timestamp.ts';

export function runWrite<Input, Output>(
  operation: WriteOperation<Input, Output>,
  store: Store,
  actor: Actor,
  input: Input,
  options: RunOptions,
  outside: unknown,
): Promise<Ran<Output>> {
  const { repeat } = operation;
  const { signal, idempotent, isExpected } = options;
  const work = async (unit: UnitOfWork): Promise<Written<Ran<Output>>> => {
    const revision = isExpected && operation.current ? await operation.current(unit, actor, input) : null;
    if (isExpected && revision !== null && !isExpected(revision)) {
      throw new AppError('precondition_failed', 'The stored thing is not the expected one');
    }
    const { output, changes } = await operation.run(unit, actor, input, options, outside);
    return { output: { ...unrevised(output), replayed: false, changes }, changes };
  };
  const chatbots = chatbotsToLock(operation, input);
  const write = (one: typeof work) => store.write(actor, one, signal, chatbots);
  if (options.isDry === true) return undone(work, write);
  if (!idempotent || !repeat) return write(work);
  const once = async (unit: UnitOfWork): Promise<Written<Ran<Output>>> => {
    const now = new Date();
    const kept = await unit.idempotency.claim(actor.projectId, actor.id, idempotent, {
      at: formatTimestamp(now),
      forgetBefore: formatTimestamp(addSeconds(now, -idempotencyHours * 3_600)),
    });
    if (!kept) {
      const written = await work(unit);
      const result = repeat.keep(written.output.output);
      await unit.idempotency.keep(actor.projectId, actor.id, idempotent.keyHash, result);
      return written;
    }
    if (kept.requestDigest !== idempotent.requestDigest) {
      throw new AppError('idempotency_key_reused', 'This Idempotency-Key was used for another request');
    }
    const again = (await repeat.render(unit, actor, kept.result, input)) as Output;
    return { output: { ...unrevised(again), replayed: true }, changes: [] };
  };
  return write(once);
}

function chatbotsToLock({ queue }: Pick<WriteOperation<never, unknown>, 'queue'>, input: unknown): readonly string[] {
  if (queue === undefined) return [];
  if (queue === 'chatbot') return [(input as { chatbotId: string }).chatbotId];
  const { contacts } = input as { contacts: readonly { chatbot_id: string }[] };
  return [...new Set(contacts.map((one) => one.chatbot_id))];
}

async function undone<Output>(
  work: (unit: UnitOfWork) => Promise<Written<Output>>,
  write: (undoing: typeof work) => Promise<Output>,
): Promise<Output> {
  const rollback = new Error('a dry run is undone');
  let found: Written<Output> | undefined;
  try {
    return await write(async (unit) => {
      found = await work(unit);
      throw rollback;
    });
  } catch (error) {
    if (error === rollback && found) return found.output;
    throw error;
  }
}
