import { fromNpm } from './from-npm.ts';

/** The last of each line that still is in use. */
export const olderNodes = ['20.20.2', '22.23.3', '24.21.0'];

/** The path of the Node of this version, where npm can bring it. */
export function nodeOf(version: string): string | undefined {
  return fromNpm(`node-${process.platform}-${process.arch}`, version, 'bin/node');
}
