import { chmodSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

import { openAsker } from '../../test/support/asker.ts';
import type { Ended } from '../../test/support/program.ts';
import type { Installation } from '../installation.ts';
import { objectionToFailure, runWithFault, straceObjection } from './strace.ts';

const keyCreation = ['keys', 'create', '--project', 'acme', '--name', 'x'];

export interface Withheld {
  tried: number;
  how: string;
  failures: string[];
  notShown: string[];
}

/** A sound file that another process has locked, or that may not be written. */
export async function tryWithheld(at: Installation, token: string): Promise<Withheld> {
  const locked = await tryLocked(at, token);
  const readOnly = await tryReadOnly(at);
  return {
    tried: 1 + readOnly.tried,
    how: readOnly.how,
    failures: [...locked, ...readOnly.failures],
    notShown: readOnly.notShown,
  };
}

/** Who writes waits, and is told; who reads is answered. */
async function tryLocked(at: Installation, token: string): Promise<string[]> {
  const served = await at.serve();
  using asker = openAsker(served.address);
  const db = new DatabaseSync(at.file);
  db.exec('begin immediate');
  const refused = at.run(keyCreation);
  const statuses: number[] = [];
  for (let index = 0; index < 20; index++)
    statuses.push((await asker.get(`/v2/chatbots/shop/contacts/contact-${index}`, token)).status);
  const failures = objectionsTo('a locked database', await refused, /locked; try again/);
  db.exec('rollback');
  db.close();
  if (statuses.some((status) => status !== 200)) failures.push(`a locked database: reads got ${statuses.join()}`);
  const { code, stderr } = await at.run(keyCreation);
  if (code !== 0) failures.push(`unlocked, a key creation ended with ${code}: ${stderr}`);
  served.child.kill('SIGTERM');
  await served.ended;
  return failures;
}

/** The superuser may write anything, so for him the system is made to refuse. */
async function tryReadOnly(at: Installation): Promise<Withheld> {
  const says = /cannot be written; give both/;
  const objection = straceObjection();
  if (process.getuid?.() !== 0) {
    const failures: string[] = [];
    for (const [what, path, allowed, usual] of [
      ['a file', at.file, 0o400, 0o600],
      ['a folder', at.folder, 0o500, 0o700],
    ] as const) {
      chmodSync(path, allowed);
      const ended = await Promise.all([at.run(keyCreation), at.run(['serve'])]);
      chmodSync(path, usual);
      for (const one of ended) failures.push(...objectionsTo(`${what} that may not be written`, one, says));
    }
    return { tried: 4, how: 'read-only by permissions', failures, notShown: [] };
  }
  if (objection !== undefined) {
    const notShown = [`nothing was read-only, as the superuser may write and ${objection}`];
    return { tried: 0, how: 'nothing read-only', failures: [], notShown };
  }
  const failures: string[] = [];
  let injected = 0;
  for (const path of [at.file, at.folder]) {
    const fault = { call: '?access,?faccessat,?faccessat2', error: 'EROFS', n: 1, andAfter: true } as const;
    const ended = await runWithFault(at, keyCreation, { ...fault, paths: [path] });
    injected += ended.injected;
    failures.push(...objectionsTo('what may not be written', ended, says));
  }
  if (injected < 2) failures.push('strace made nothing read-only');
  return { tried: 2, how: 'read-only by strace', failures, notShown: [] };
}

function objectionsTo(what: string, ended: Ended, says: RegExp): string[] {
  const objection = objectionToFailure(ended);
  if (objection !== undefined) return [`${what}: ${objection}`];
  return says.test(ended.stderr) ? [] : [`${what}: says ${ended.stderr}`];
}
