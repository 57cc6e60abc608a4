import { createInterface } from 'node:readline';

import type { Config } from '../config/settings.ts';
import type { Store } from '../store.ts';
import { Exit, exitCodes, UsageError } from './failures.ts';
import { harmless, note, printResult } from './output.ts';
import { type Flags, option } from './parts.ts';
import { untilInterrupted } from './signals.ts';
import { noteCopies } from './upkeep/copies.ts';
import { mergeIndexBriefly } from './upkeep/index-contacts.ts';

const stopped = 'Stopped; what is deleted is gone, and the rest is there. Run it again to go on.';

export const yesOption = option('--yes', 'do not ask for its id');

/** Deletes a thing once it is confirmed, until a signal comes between two steps; names the copies that still hold it. */
export async function forGood(
  { store, config }: { store: Store; config: Config },
  noun: string,
  id: string,
  given: Flags<{ yes?: boolean }>,
  work: (onStep: () => void) => Promise<object>,
  called = 'its id',
): Promise<void> {
  await confirmBy(id, `This deletes the ${noun} for good`, given, 'deleted', called);
  const deleted = await untilInterrupted(stopped, work);
  await mergeIndexBriefly(store);
  printResult(deleted, given);
  noteCopies(config);
}

/** Asks on a terminal for the id; elsewhere only `--yes` will do. `deed` is a sentence without its full stop. */
export async function confirmBy(
  id: string,
  deed: string,
  { yes }: { yes?: boolean },
  done: 'deleted' | 'changed' = 'changed',
  called = 'its id',
): Promise<void> {
  if (yes === true) return;
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new UsageError(`${deed}; add --yes to confirm it, as there is no terminal to ask on.`);
  }
  const typed = await ask(`${deed}. Type ${called} to confirm: `);
  if (typed.trim() === id) return;
  note(`This is not ${called}; nothing was ${done}.`);
  throw new Exit(exitCodes.failed);
}

function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise<string>((resolve, reject) => {
    const onEnd = () => {
      process.stderr.write('\n');
      resolve('');
    };
    lines.once('SIGINT', () => {
      reject(new Exit(exitCodes.interrupted));
    });
    lines.once('close', onEnd);
    lines.question(harmless(question), (answer) => {
      lines.off('close', onEnd);
      resolve(answer);
    });
  }).finally(() => lines.close());
}
