import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { administer, databaseUrl } from '../../test/support/postgres.ts';
import { spawnProgram } from '../../test/support/program.ts';
import { versionedContacts } from '../faults/batches.ts';
import { keepImporting, stateOf } from '../faults/continual-imports.ts';
import type { Guarantee, Trial } from '../guarantee.ts';
import { populate } from '../installation.ts';

/** On PostgreSQL `backup` names pg_dump; where there is one for this server, what it dumps is restored and read. */
export const pgDumpDuringImports: Guarantee = {
  name: 'pg_dump during imports',
  sizes: { smoke: 0, core: 1, full: 20 },
  engines: ['PostgreSQL'],
  prove,
};

async function prove({ install, size }: Trial) {
  const at = await install();
  await at.json(['migrate']);
  const { code, stderr } = await at.run(['backup', 'b.db']);
  const failures = code === 2 && stderr.includes('pg_dump') ? [] : [`backup ended with ${code}: ${stderr}`];
  const objection = await objectionToTool(at.databaseUrl);
  if (objection !== undefined) {
    return {
      tried: 0,
      measured: 'backup names pg_dump',
      failures,
      notShown: [`no dump was made, as ${objection}`],
    };
  }
  await populate(at, 1);
  const what = versionedContacts(6);
  const importing = keepImporting(at, what);
  let halfWay = 0;
  for (let dump = 0; dump < size; dump++) {
    const file = join(at.folder, `${dump}.dump`);
    const restored = `restored_${process.pid}_${dump}`;
    await administer(at.databaseUrl, `create database ${restored} template template0`);
    const url = databaseUrl(at.databaseUrl, restored);
    for (const [tool, ...args] of [
      ['pg_dump', '--format=custom', `--file=${file}`, at.databaseUrl],
      ['pg_restore', '--exit-on-error', `--dbname=${url}`, file],
    ]) {
      const ended = await spawnProgram(tool ?? '', args, { env: {} }).ended;
      if (ended.code !== 0) failures.push(`dump ${dump}: ${tool} ended with ${ended.code}: ${ended.stderr}`);
    }
    const ofShop = ['--chatbot', 'shop', '--project', 'acme'];
    const exported = await at.run(['contacts', 'export', '--format', 'ndjson', ...ofShop], {
      env: { DATABASE_URL: url },
    });
    const stored = exported.code === 0 ? stateOf(what, importing.version(), exported.stdout) : exported.stderr;
    if (typeof stored === 'string') failures.push(`dump ${dump}: ${stored}`);
    else if (stored < what.batches) halfWay++;
    await administer(at.databaseUrl, `drop database ${restored} with (force)`);
    rmSync(file, { force: true });
  }
  const { imports, wrong } = await importing.stop();
  return {
    tried: size,
    measured: `${imports} imports meanwhile; ${halfWay} dumps hold one half way`,
    failures: [...failures, ...wrong],
    notShown: halfWay === 0 ? ['no dump was made between two batches'] : [],
  };
}

/** Why the pg_dump of this machine cannot be tried; it dumps no server that is newer than itself. */
async function objectionToTool(url: string): Promise<string | undefined> {
  const { error, stdout } = spawnSync('pg_dump', ['--version'], { encoding: 'utf8' });
  if (error) return 'pg_dump is not installed';
  const tool = Number(/ (\d+)/.exec(stdout)?.[1]);
  const [row] = await administer(url, 'show server_version_num');
  const server = Math.floor(Number(row?.['server_version_num']) / 10_000);
  return tool >= server ? undefined : `pg_dump ${tool} dumps no server ${server}`;
}
