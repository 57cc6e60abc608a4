import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { openAsker } from '../../test/support/asker.ts';
import type { Installation, Target } from '../installation.ts';
import { makeOldDatabase } from './old-database.ts';

/** A command that is run again and again with a fault in it. */
export interface Work {
  name: string;
  /** Makes ready for one run; the command line. */
  prepare: () => string[];
  /** What does not hold after a run that was accepted (exit code 0, with this output), or refused. */
  judge: (accepted: boolean, stdout: string) => Promise<string[]>;
}

const rowsOfImport = 200;

/** Commands on the file of a service that goes on answering; it is asked for what they have done. */
export function worksBeside(at: Installation, { address, token }: Pick<Target, 'address' | 'token'>): Work[] {
  let run = 0;
  const statuses = async (paths: readonly string[], asWhom = token) => {
    using asker = openAsker(address);
    const found: number[] = [];
    for (const path of paths) found.push((await asker.get(path, asWhom)).status);
    return found;
  };
  const backup = () => `backup-${run}.db`;
  return [
    {
      name: 'import beside a service',
      prepare: () => importOf(at, `${++run}-`),
      judge: async (accepted) => {
        const paths = Array.from({ length: rowsOfImport }, (_, row) => `/v2/chatbots/shop/contacts/${run}-${row}`);
        return objectionsTo(new Set(await statuses(paths)), accepted, [200], [404]);
      },
    },
    {
      name: 'key creation beside a service',
      prepare: () => ['keys', 'create', '--project', 'acme', '--name', `key ${++run}`, '--json'],
      judge: async (accepted, stdout) => {
        if (!accepted) return stdout === '' ? [] : ['a key was printed and refused'];
        const { token: made } = JSON.parse(stdout) as { token: string };
        return objectionsTo(new Set(await statuses(['/v2/members'], made)), true, [200], []);
      },
    },
    {
      name: 'backup beside a service',
      prepare: () => {
        run++;
        return ['backup', backup(), '--json'];
      },
      judge: async (accepted) => {
        const left = readdirSync(at.folder).filter((name) => name.startsWith(backup()));
        if (!accepted) return left.length === 0 ? [] : [`refused, and left ${left.join(', ')}`];
        const { code, stderr } = await at.run(['backup', 'verify', backup()]);
        for (const one of left) rmSync(join(at.folder, one));
        return code === 0 ? [] : [`accepted, and cannot be verified: ${stderr}`];
      },
    },
  ];
}

/** Commands that have a file to themselves, a new copy each time: with the checkpoint that the last one to close makes. */
export function worksAlone(at: Installation): Work[] {
  const current = join(at.folder, 'current.db');
  const old = join(at.folder, 'old.db');
  cpSync(at.file, current);
  makeOldDatabase(old, 60);
  const counts = async () => {
    const file = join(at.folder, 'judged.db');
    const { code, stdout, stderr } = await at.run(['backup', file, '--json']);
    for (const one of [file, `${file}.sha256`]) rmSync(one, { force: true });
    if (code !== 0) throw new Error(`the database cannot be backed up afterwards: ${stderr}`);
    return (JSON.parse(stdout) as { rows: Record<string, number> }).rows;
  };
  let before: Record<string, number> | undefined;
  const judgeCount = (table: string, added: number) => async (accepted: boolean) => {
    const { [table]: base = 0 } = (before ??= await untouched(at, current, counts));
    const { [table]: found = 0 } = await counts();
    return objectionsTo(new Set([found]), accepted, [base + added], [base]);
  };
  const judgeImport = judgeCount('contacts', rowsOfImport);
  const judgeKey = judgeCount('api_keys', 1);
  return [
    {
      name: 'import alone',
      prepare: () => {
        putInPlace(at, current);
        return importOf(at, 'new-');
      },
      judge: judgeImport,
    },
    {
      name: 'key creation alone',
      prepare: () => {
        putInPlace(at, current);
        return ['keys', 'create', '--project', 'acme', '--name', 'new', '--json'];
      },
      judge: judgeKey,
    },
    {
      name: 'migration from the first schema',
      prepare: () => {
        putInPlace(at, old);
        return ['migrate', '--json'];
      },
      judge: async (accepted) => {
        const { pending } = await at.json<{ pending: string[] }>(['migrate', '--status']);
        if (accepted && pending.length > 0) return [`accepted, and ${pending.join()} is pending`];
        await at.json(['migrate']);
        const { members, contacts } = await counts();
        return members === 60 && contacts === 60 ? [] : [`${members} members and ${contacts} contacts are left`];
      },
    },
  ];
}

/** What the database holds in which nothing was tried, without losing the one in which something was. */
async function untouched<T>(at: Installation, file: string, ask: () => Promise<T>): Promise<T> {
  const kept = readdirSync(at.folder).filter((name) => name.startsWith('roster.db'));
  for (const name of kept) cpSync(join(at.folder, name), join(at.folder, `kept-${name}`));
  putInPlace(at, file);
  const found = await ask();
  for (const name of ['roster.db-wal', 'roster.db-shm']) rmSync(join(at.folder, name), { force: true });
  for (const name of kept) cpSync(join(at.folder, `kept-${name}`), join(at.folder, name));
  return found;
}

function putInPlace(at: Installation, file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${at.file}${suffix}`, { force: true });
  cpSync(file, at.file);
}

function importOf(at: Installation, prefix: string): string[] {
  const rows = Array.from({ length: rowsOfImport }, (_, row) =>
    JSON.stringify({ id: `${prefix}${row}`, name: `Person ${row}`, email: `${prefix}${row}@example.com` }),
  );
  writeFileSync(join(at.folder, 'people.ndjson'), rows.join('\n'));
  return ['contacts', 'import', 'people.ndjson', '--chatbot', 'shop', '--json'];
}

/** What was accepted is there; what was refused is absent, or there as a whole. */
function objectionsTo(
  found: ReadonlySet<number>,
  accepted: boolean,
  there: readonly number[],
  absent: readonly number[],
): string[] {
  const allowed = accepted ? there : [...there, ...absent];
  const [only] = found;
  return found.size === 1 && only !== undefined && allowed.includes(only)
    ? []
    : [`${accepted ? 'accepted' : 'refused'}, and found ${[...found].join(' and ')}`];
}
