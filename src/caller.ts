import type { Actor } from './actor.ts';
import type { Operation, Ran, RunOptions } from './operation.ts';

/** Runs operations for one actor, without access to the store or the key. */
export interface Caller {
  readonly scopes: Actor['scopes'];
  run<Input, Output>(
    operation: Operation<Input, Output>,
    input: Input,
    options: Pick<RunOptions, 'isDry'>,
  ): Promise<Ran<Output>>;
}
