import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** SQLite opens its files with it, and Node does not. */
const noFollow = 0o400_000;

/** The syncs off the event loop, which end only when they are let go. */
interface HeldSyncs extends Disposable {
  /** How many have begun. */
  begun: () => number;
  /** Lets the oldest end, really synced or with this error. */
  end: (error?: Error) => void;
}

export function holdSyncs(): HeldSyncs {
  const held: ((error?: Error) => void)[] = [];
  const { fdatasync } = fs;
  let begun = 0;
  replaceFdatasync((file: number, done: (error: Error | null) => void) => {
    begun++;
    held.push((error) => (error ? done(error) : fdatasync(file, done)));
  });
  return {
    begun: () => begun,
    end: (error) => held.shift()?.(error),
    [Symbol.dispose]: () => replaceFdatasync(fdatasync),
  };
}

/** Counts the syncs off the event loop, which happen. */
export function countSyncs(): Disposable & { count: () => number } {
  const { fdatasync } = fs;
  let count = 0;
  replaceFdatasync((file: number, done: (error: Error | null) => void) => {
    count++;
    fdatasync(file, done);
  });
  return { count: () => count, [Symbol.dispose]: () => replaceFdatasync(fdatasync) };
}

function replaceFdatasync(replacement: object): void {
  Object.assign(fs, { fdatasync: replacement });
  syncBuiltinESMExports();
}

/**
 * Makes every sync of a file fail in this process: puts what cannot be synced in the place of the descriptor that
 * SQLite, or Node, has of it.
 */
export function makeUnsyncable(path: string, whose: 'SQLite' | 'Node'): void {
  const file = descriptorOf(path, whose);
  fs.closeSync(file);
  const opened: number[] = [];
  do opened.push(fs.openSync('/dev/null', 'r+'));
  while (opened.at(-1) !== file && opened.length < 1_000);
  for (const one of opened) if (one !== file) fs.closeSync(one);
}

function descriptorOf(path: string, whose: 'SQLite' | 'Node'): number {
  const found = fs.readdirSync('/proc/self/fd').find((name) => {
    if (!fs.existsSync(`/proc/self/fd/${name}`) || fs.readlinkSync(`/proc/self/fd/${name}`) !== path) return false;
    const [, flags = ''] = /flags:\s+(\d+)/.exec(fs.readFileSync(`/proc/self/fdinfo/${name}`, 'utf8')) ?? [];
    return ((Number.parseInt(flags, 8) & noFollow) !== 0) === (whose === 'SQLite');
  });
  if (found === undefined) throw new Error(`${path} is not open`);
  return Number(found);
}
