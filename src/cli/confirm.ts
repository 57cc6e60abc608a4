import { createInterface } from 'node:readline';

import { Exit, exitCodes, harmless, note, UsageError } from './output.ts';

/** Asks on a terminal for the id of what is to be deleted for good; elsewhere only `--yes` will do. */
export function confirmForGood(noun: string, id: string, flags: { yes?: boolean }): Promise<void> {
  return confirmBy(id, `This deletes the ${noun} for good`, flags, 'deleted');
}

/** Confirms any deed; `deed` is a sentence without its full stop. */
export async function confirmBy(
  id: string,
  deed: string,
  { yes }: { yes?: boolean },
  done: 'deleted' | 'changed' = 'changed',
): Promise<void> {
  if (yes === true) return;
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new UsageError(`${deed}; add --yes to confirm it, as there is no terminal to ask on.`);
  }
  const typed = await ask(`${deed}. Type its id to confirm: `);
  if (typed.trim() === id) return;
  note(`This is not its id; nothing was ${done}.`);
  throw new Exit(exitCodes.failed);
}

/** The line that is typed; empty at the end of the input. */
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
