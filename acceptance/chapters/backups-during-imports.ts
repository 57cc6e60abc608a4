import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { type Versioned, versionedContacts } from '../faults/batches.ts';
import { keepImporting, stateOf } from '../faults/continual-imports.ts';
import type { Guarantee, Trial } from '../guarantee.ts';
import { type Installation, populate } from '../installation.ts';

/** Backups one after the other while one import follows the other; each is opened as a database and read whole. */
export const backupsDuringImports: Guarantee = {
  name: 'backups during imports',
  sizes: { smoke: 0, core: 3, full: 50 },
  engines: ['SQLite'],
  prove,
};

const ofShop = ['--chatbot', 'shop'];

async function prove({ install, size, tell }: Trial) {
  const at = await install();
  const { token } = await populate(at, 1);
  const importing = keepImporting(at, versionedContacts(6));
  const failures: string[] = [];
  const kept = new Set<number>();
  let halfWay = 0;
  for (let backup = 0; backup < size; backup++) {
    const file = join(at.folder, `backup-${backup}.db`);
    const { code, stdout, stderr } = await at.run(['backup', file, '--json']);
    if (code !== 0) {
      failures.push(`backup ${backup} ended with ${code}: ${stderr}`);
      continue;
    }
    const { rows } = JSON.parse(stdout) as { rows: { contacts: number } };
    const found = await objectionsTo(at, file, rows.contacts, importing.what, importing.version());
    failures.push(...found.wrong.map((one) => `backup ${backup}: ${one}`));
    if (found.isHalfWay) halfWay++;
    kept.add(rows.contacts);
    // One in ten is served too, which the reading of it all does not need.
    if (backup % 10 === 0) failures.push(...(await objectionsToService(at, file, token)));
    for (const suffix of ['', '.sha256', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
    if (backup % 10 === 9) tell(`${backup + 1} of ${size}`);
  }
  const { imports, wrong } = await importing.stop();
  failures.push(...wrong);
  if (imports < 1) failures.push('no import ended while backups were made');
  return {
    tried: size,
    measured: `${imports} imports meanwhile; ${halfWay} backups hold one half way`,
    failures,
    notShown: halfWay === 0 ? ['no backup was made between two batches'] : [],
  };
}

/** Opens the backup as the database that it is; `latest` is the version that may have been begun. */
async function objectionsTo(
  at: Installation,
  file: string,
  contacts: number,
  what: Versioned,
  latest: number,
): Promise<{ wrong: string[]; isHalfWay: boolean }> {
  const env = { DATABASE_URL: `sqlite:${file}` };
  const wrong: string[] = [];
  const digest = readFileSync(`${file}.sha256`, 'utf8');
  if (!/^[0-9a-f]{64} {2}backup-\d+\.db\n$/.test(digest)) wrong.push(`its digest is ${digest}`);
  const exported = await at.run(['contacts', 'export', '--format', 'ndjson', ...ofShop], { env });
  const lines = exported.stdout.split('\n').filter((line) => line !== '');
  if (exported.code !== 0) wrong.push(`the export from it ended with ${exported.code}: ${exported.stderr}`);
  if (lines.length !== contacts) wrong.push(`it has ${lines.length} contacts and says ${contacts}`);
  const stored = stateOf(what, latest, exported.stdout);
  if (typeof stored === 'string') wrong.push(stored);
  const { stdout } = await at.run(['doctor', '--json'], { env });
  const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: { check: string; status: string }[] };
  if (!ok || !checks.some(({ check, status }) => check === 'integrity' && status === 'ok'))
    wrong.push(`doctor says of it: ${stdout}`);
  return { wrong, isHalfWay: typeof stored === 'number' && stored < what.batches };
}

async function objectionsToService(at: Installation, file: string, token: string): Promise<string[]> {
  const served = await at.serve({ DATABASE_URL: `sqlite:${file}` });
  const { status } = await fetch(`${served.address}/v2/chatbots/shop/contacts/contact-0`, {
    headers: { authorization: `Bearer ${token}` },
  });
  served.child.kill('SIGTERM');
  const { code } = await served.ended;
  return status === 200 && code === 0 ? [] : [`a service of a backup answers ${status} and ends with ${code}`];
}
