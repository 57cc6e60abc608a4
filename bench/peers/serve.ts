import { execFileSync } from 'node:child_process';

import { memoryOf } from '../processes.ts';
import { type Installed, versionOf } from './install.ts';
import type { Peer } from './peer.ts';
import { type Command, start } from './program.ts';

export interface Recipe extends Pick<Peer, 'name' | 'address' | 'path' | 'headers' | 'contactIn'> {
  installed: Installed;
  /** The package whose version is the peer's. */
  package: string;
  command: Command;
}

/** Starts a peer that is installed and filled, and waits for its first contact. */
export async function servePeer({ installed, command, package: name, ...recipe }: Recipe): Promise<Peer> {
  const startedAt = performance.now();
  const program = start(command);
  try {
    await program.answers(recipe.address + recipe.path(1), recipe.headers);
  } catch (error) {
    await program[Symbol.asyncDispose]();
    throw error;
  }
  return {
    ...recipe,
    secondsToFirstAnswer: (performance.now() - startedAt) / 1_000,
    version: versionOf(installed, name),
    node: execFileSync(installed.node, ['--version'], { encoding: 'utf8' }).trim(),
    installedBytes: installed.bytes,
    pids: () => program.pids(),
    residentBytes: () => program.pids().reduce((total, pid) => total + memoryOf(pid), 0),
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  };
}
