import { createInterface } from 'node:readline';

import { Exit, exitCodes, note, UsageError } from './output.ts';

/** Asks on a terminal for the id of what is to be deleted for good; elsewhere only `--yes` will do. */
export async function confirmForGood(noun: string, id: string, { yes }: { yes?: boolean }): Promise<void> {
  if (yes === true) return;
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new UsageError(
      `This deletes the ${noun} for good; add --yes to confirm it, as there is no terminal to ask on.`,
    );
  }
  const typed = await ask(`This deletes the ${noun} for good. Type its id to confirm: `);
  if (typed.trim() === id) return;
  note('This is not its id; nothing was deleted.');
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
    lines.question(question, (answer) => {
      lines.off('close', onEnd);
      resolve(answer);
    });
  }).finally(() => lines.close());
}
