import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { administer, databaseUrl, startPostgres } from '../../test/support/postgres.ts';
import { spawnProgram } from '../../test/support/program.ts';
import { type Versioned, versionedContacts } from '../faults/batches.ts';
import type { Guarantee, Trial } from '../guarantee.ts';
import { install, type Installation, objectionsOfDoctor, populate } from '../installation.ts';

/**
 * Backups one after the other while one import follows the other; each is opened as a database and read whole. On PostgreSQL `backup`
 * names pg_dump; where Debian's is installed with its server, the dumps of that server are restored.
 */
export const backupsDuringImports: Guarantee = {
  name: 'backups during imports',
  sizes: { smoke: 0, core: 3, full: 50 },
  sizesOnPostgres: { smoke: 0, core: 1, full: 20 },
  engines: ['SQLite', 'PostgreSQL'],
  prove,
};

const ofShop = ['--project', 'acme', '--chatbot', 'shop'];

async function prove({ engine, install: installed, size, tell }: Trial) {
  await using undo = new AsyncDisposableStack();
  const at = engine === 'SQLite' ? await installed() : await installDebians(undo);
  if (!at)
    return { tried: 0, measured: '', failures: [], notShown: ['no server of the version of pg_dump is installed'] };
  const { token } = await populate(at, 1);
  const failures = engine === 'SQLite' ? [] : await objectionsToCommand(at);
  const what = versionedContacts(6);
  const importing = keepImporting(at, what);
  let halfWay = 0;
  for (let backup = 0; backup < size; backup++) {
    await using made = await (engine === 'SQLite' ? backUp(at, backup) : dump(at, backup));
    const env = { DATABASE_URL: made.url };
    const exported = await at.run(['contacts', 'export', '--format', 'ndjson', ...ofShop], { env });
    const stored = exported.code === 0 ? stateOf(what, importing.version(), exported.stdout) : exported.stderr;
    const wrong = [...made.wrong, ...(typeof stored === 'string' ? [stored] : [])];
    const lines = exported.stdout.split('\n').filter((line) => line !== '').length;
    if (lines !== (made.contacts ?? lines)) wrong.push(`it has ${lines} contacts and says ${made.contacts}`);
    wrong.push(...(await objectionsOfDoctor(at, env)));
    // One in ten is served too, which the reading of it all does not need.
    if (backup % 10 === 0) wrong.push(...(await objectionsToService(at, env, token)));
    failures.push(...wrong.map((one) => `backup ${backup}: ${one}`));
    if (typeof stored === 'number' && stored < what.batches) halfWay++;
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

interface Made extends AsyncDisposable {
  url: string;
  wrong: string[];
  /** What it says of itself. */
  contacts?: number;
}

async function backUp(at: Installation, number: number): Promise<Made> {
  const file = join(at.folder, `backup-${number}.db`);
  const { rows } = await at.json<{ rows: { contacts: number } }>(['backup', file]);
  const digest = readFileSync(`${file}.sha256`, 'utf8');
  return {
    url: `sqlite:${file}`,
    contacts: rows.contacts,
    wrong: /^[0-9a-f]{64} {2}backup-\d+\.db\n$/.test(digest) ? [] : [`its digest is ${digest}`],
    [Symbol.asyncDispose]: async () => {
      for (const suffix of ['', '.sha256', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
    },
  };
}

/** Dumped and restored into a database of its own. */
async function dump(at: Installation, number: number): Promise<Made> {
  const file = join(at.folder, `${number}.dump`);
  const restored = `restored_${process.pid}_${number}`;
  await administer(at.databaseUrl, `create database ${restored} template template0`);
  const url = databaseUrl(at.databaseUrl, restored);
  const wrong: string[] = [];
  for (const [tool = '', ...args] of [
    ['pg_dump', '--format=custom', `--file=${file}`, at.databaseUrl],
    ['pg_restore', '--exit-on-error', `--dbname=${url}`, file],
  ]) {
    const { code, stderr } = await spawnProgram(tool, args, { env: {} }).ended;
    if (code !== 0) wrong.push(`${tool} ended with ${code}: ${stderr}`);
  }
  rmSync(file, { force: true });
  const drop = `drop database ${restored} with (force)`;
  return { url, wrong, [Symbol.asyncDispose]: async () => void (await administer(at.databaseUrl, drop)) };
}

/** On Debian's server of the version of its pg_dump, which dumps no newer one. Undefined where either is missing. */
async function installDebians(undo: AsyncDisposableStack): Promise<Installation | undefined> {
  const { error, stdout } = spawnSync('pg_dump', ['--version'], { encoding: 'utf8' });
  const folder = `/usr/lib/postgresql/${/ (\d+)/.exec(stdout ?? '')?.[1]}/bin`;
  const [initdb, postgres] = [join(folder, 'initdb'), join(folder, 'postgres')];
  if (error || !existsSync(postgres)) return undefined;
  const server = undo.use(await startPostgres(50, false, { initdb, postgres }));
  const at = undo.use(await install('PostgreSQL', { server: async () => server }));
  await at.json(['migrate']);
  return at;
}

async function objectionsToCommand(at: Installation): Promise<string[]> {
  const { code, stderr } = await at.run(['backup', 'b.db']);
  return code === 2 && stderr.includes('pg_dump') ? [] : [`backup ended with ${code}: ${stderr}`];
}

/** One import after the other, each of the next version. */
function keepImporting(at: Installation, what: Versioned) {
  const stopping = new AbortController();
  const wrong: string[] = [];
  let version = 0;
  let imports = 0;
  const loop = async () => {
    while (!stopping.signal.aborted && wrong.length === 0) {
      const { code, stderr } = await at.run(['contacts', 'import', '-', '--format', 'ndjson', ...ofShop], {
        input: what.rows(++version),
      });
      if (code !== 0) wrong.push(`the import of version ${version} ended with ${code}: ${stderr}`);
      imports++;
    }
  };
  const ended = loop();
  return {
    version: () => version,
    stop: async () => {
      stopping.abort();
      await ended;
      return { imports, wrong };
    },
  };
}

/** How many batches of the newest version in an are there; a sentence where it is no state between two batches. */
function stateOf(what: Versioned, latest: number, exported: string): number | string {
  const versions = [...exported.matchAll(/ of (\d+)"/g)].map(([, version]) => Number(version));
  const version = versions.reduce((highest, one) => Math.max(highest, one), 0);
  if (version > latest) return `it holds version ${version}, and ${latest} was the last`;
  return version === 0 ? what.batches : what.batchesOf(version, exported);
}

async function objectionsToService(at: Installation, env: Record<string, string>, token: string): Promise<string[]> {
  const served = await at.serve(env);
  const headers = { authorization: `Bearer ${token}` };
  const { status } = await fetch(`${served.address}/v2/chatbots/shop/contacts/contact-0`, { headers });
  served.child.kill('SIGTERM');
  const { code } = await served.ended;
  return status === 200 && code === 0 ? [] : [`a service of a backup answers ${status} and ends with ${code}`];
}
