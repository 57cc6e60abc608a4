import { DatabaseSync } from 'node:sqlite';

import { openAsker } from '../../test/support/asker.ts';
import type { Ended } from '../../test/support/program.ts';
import type { Installation } from '../installation.ts';
import { objectionToFailure, runWithFault, straceObjection } from './strace.ts';

const keyCreation = ['keys', 'create', '--project', 'acme', '--name', 'x'];

interface Withheld {
  tried: number;
  failures: string[];
  notShown: string[];
}

/** A sound file that another process has locked, or that may not be written. */
export async function tryWithheld(at: Installation, token: string): Promise<Withheld> {
  const locked = await tryLocked(at, token);
  const readOnly = await tryReadOnly(at);
  return {
    tried: 1 + readOnly.tried,
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

/** The superuser may write anything, so the system is made to refuse. */
async function tryReadOnly(at: Installation): Promise<Withheld> {
  const says = /cannot be written; give both/;
  const objection = straceObjection();
  if (objection !== undefined) {
    return { tried: 0, failures: [], notShown: [`nothing was read-only, as ${objection}`] };
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
  return { tried: 2, failures, notShown: [] };
}

function objectionsTo(what: string, ended: Ended, says: RegExp): string[] {
  const objection = objectionToFailure(ended);
  if (objection !== undefined) return [`${what}: ${objection}`];
  return says.test(ended.stderr) ? [] : [`${what}: says ${ended.stderr}`];
}
