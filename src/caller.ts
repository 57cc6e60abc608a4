import type { Actor } from './actor.ts';
import type { Operation, Ran, RunOptions } from './operation.ts';

/** An actor who may run several operations by one request, behind a protocol of its own. */
export interface Caller {
  readonly scopes: Actor['scopes'];
  /** As `run()` for this actor. */
  run<Input, Output>(
    operation: Operation<Input, Output>,
    input: Input,
    options: Pick<RunOptions, 'isDry'>,
  ): Promise<Ran<Output>>;
}
