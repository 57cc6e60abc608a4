import type { XStatic } from 'typebox/schema';

import { type Actor, requireScope } from './actor.ts';
import type { ErrorCode } from './errors.ts';
import type { EventWaiter, NewEvent, Written } from './events/event.ts';
import type { IdempotentRequest } from './idempotency.ts';
import { type Revised, unrevised } from './revision.ts';
import type { RequiredScope, Scope } from './rights.ts';
import { runWrite } from './run-write.ts';
import type { Reads, Store, UnitOfWork } from './store.ts';
import { validate } from './validation.ts';
import type { JsonSchema } from './values/object-schema.ts';
import type { Outgoing } from './webhooks/outgoing.ts';

interface Declaration<Input, Output> {
  /** In camelCase, unique; the operationId of the OpenAPI document. */
  readonly name: string;
  readonly scope: RequiredScope;
  readonly secondScope?: Scope;
  /** The schema of the input. Missing means that it comes from the program itself and is not checked. */
  readonly input?: JsonSchema;
  /** Its cost in requests of the rate limit, once its body is read; missing means one. */
  cost?(input: Input): number;
  check?(input: Input): void;
  readonly output?: JsonSchema;
  readonly dryOutput?: JsonSchema;
  readonly errors?: readonly ErrorCode[];
  /** For the OpenAPI document; `answer` describes a success. Needed by an operation that has a route. */
  readonly document?: Readonly<Record<'tag' | 'summary' | 'description' | 'answer', string>>;
  readonly example?: Output;
}

interface ReadDefinition<Input, Output> extends Declaration<Input, Output> {
  /** Says that it waits where it is given a waiter. */
  readonly waits?: true;
  run(reads: Reads, actor: Actor, input: Input, options: RunOptions): Promise<Output | Revised<Output>>;
}

interface WriteDefinition<Input, Output, Kept, Outside = unknown> extends Declaration<Input, Output> {
  /** Asks the world outside before the transaction, which must not wait for it. */
  outside?(reads: Reads, actor: Actor, input: Input, options: RunOptions): Promise<Outside>;
  run(
    unit: UnitOfWork,
    actor: Actor,
    input: Input,
    options: RunOptions,
    outside?: Outside,
  ): Promise<Written<Output | Revised<Output>>>;
  /** Writes of contacts wait for those in the same chatbot: the `chatbotId` of the input, or those of its `contacts`. */
  readonly queue?: 'chatbot' | 'chatbots';
  /** The revision of the thing to write: undefined before its creation, null if done before. Throws `not_found`. */
  current?(unit: UnitOfWork, actor: Actor, input: Input): Promise<number | undefined | null>;
  /** Missing means that an idempotency key is ignored. */
  readonly repeat?: {
    keep(output: Output): Kept;
    /** Says that `render` may find nothing, so that the document allows null. */
    readonly mayBeGone?: true;
    /** The answer to a repeat, from what is stored now; null where it is gone. */
    render(reads: Reads, actor: Actor, kept: Kept, input: Input): Promise<Output | Revised<Output> | null>;
  };
}

export type ReadOperation<Input, Output> = ReadDefinition<Input, Output> & { readonly kind: 'read' };

export type WriteOperation<Input, Output> = WriteDefinition<Input, Output, unknown> & { readonly kind: 'write' };

export type Operation<Input, Output> = ReadOperation<Input, Output> | WriteOperation<Input, Output>;

type Checked<In extends JsonSchema> = { readonly input: In };

export function read<const In extends JsonSchema, Output>(
  definition: ReadDefinition<XStatic<In>, Output> & Checked<In>,
): ReadOperation<XStatic<In>, Output>;
export function read<Input, Output>(definition: ReadDefinition<Input, Output>): ReadOperation<Input, Output>;
export function read<Input, Output>(definition: ReadDefinition<Input, Output>): ReadOperation<Input, Output> {
  return { ...definition, kind: 'read' };
}

export function write<const In extends JsonSchema, Output, Kept = never, Outside = never>(
  definition: WriteDefinition<XStatic<In>, Output, Kept, Outside> & Checked<In>,
): WriteOperation<XStatic<In>, Output>;
export function write<Input, Output, Kept = never, Outside = never>(
  definition: WriteDefinition<Input, Output, Kept, Outside>,
): WriteOperation<Input, Output>;
export function write<Input, Output>(
  definition: WriteDefinition<Input, Output, unknown>,
): WriteOperation<Input, Output> {
  return { ...definition, kind: 'write' };
}

export interface RunOptions {
  /** Aborted when nobody waits any more: a write not yet committed never will be. May be a getter that creates it. */
  readonly signal?: AbortSignal | undefined;
  /** Lets the caller wait for events, for so many seconds; undefined where the caller may not. */
  openWaiter?: ((seconds: number) => EventWaiter | undefined) | undefined;
  /** Where links for people begin, without a final slash. */
  readonly publicUrl?: string | undefined;
  /** Sends webhooks; missing where the caller's place cannot. */
  readonly outgoing?: Outgoing | undefined;
  idempotent?: IdempotentRequest | undefined;
  /** Whether the caller expects this revision (undefined: no such thing); missing without If-Match. */
  isExpected?: ((revision: number | undefined) => boolean) | undefined;
  /** A write is undone once it has run: it tells what would happen, and stores nothing. */
  isDry?: boolean;
}

export interface Ran<Output> {
  output: Output;
  revision?: number;
  /** Whether an earlier request with the same idempotency key did the work. */
  replayed: boolean;
  /** Events that a write records, or would record in a dry run. Missing for a read and a repeat. */
  changes?: readonly NewEvent[];
}

/** Throws `insufficient_scope`, `invalid`, `precondition_failed`, `idempotency_…`, and what the operation throws. */
export async function run<Input, Output>(
  operation: Operation<Input, Output>,
  store: Store,
  actor: Actor,
  input: Input,
  options: RunOptions = {},
): Promise<Ran<Output>> {
  for (const scope of scopesOf(operation)) requireScope(actor, scope);
  const checking = checkInput(operation, input);
  if (checking) await checking;
  if (operation.kind === 'write') {
    const outside = await operation.outside?.(store, actor, input, options);
    return runWrite(operation, store, actor, input, options, outside);
  }
  return { ...unrevised(await operation.run(store, actor, input, options)), replayed: false };
}

export function scopesOf({ scope, secondScope }: Operation<never, unknown>): readonly RequiredScope[] {
  return secondScope === undefined ? [scope] : [scope, secondScope];
}

/** Throws `invalid`; a promise only where the schema was not compiled before. */
export function checkInput<Input>(operation: Operation<Input, unknown>, input: Input): Promise<void> | undefined {
  const checking = operation.input && validate(operation.input, input);
  if (checking) return checking.then(() => operation.check?.(input));
  operation.check?.(input);
  return undefined;
}

/** Runs operations with the rights of an assistant. */
export interface Caller {
  readonly scopes: Actor['scopes'];
  run<Input, Output>(
    operation: Operation<Input, Output>,
    input: Input,
    options: Pick<RunOptions, 'isDry'>,
  ): Promise<Ran<Output>>;
}
