import { fromNpm } from './from-npm.ts';

/** The last version of each line still in use. */
export const olderNodes = ['20.20.2', '22.23.3', '24.21.0'];

/** The path of this version of Node, if npm can install it. */
export function nodeOf(version: string): string | undefined {
  return fromNpm(`node-${process.platform}-${process.arch}`, version, 'bin/node');
}
