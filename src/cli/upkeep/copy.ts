import { readConfig } from '../../config/read-config.ts';
import { databaseUrl } from '../../config/urls.ts';
import type { Database } from '../../database/database.ts';
import { copyDatabase, type CopyReport } from '../../database/upkeep/copy.ts';
import { AppError } from '../../errors.ts';
import { UsageError } from '../failures.ts';
import { naming, openUsable } from '../open.ts';
import { listing, note, printResult } from '../output.ts';
import { command, option } from '../parts.ts';
import { progress } from '../progress.ts';
import { untilInterrupted } from '../signals.ts';
import { indexContacts } from './index-contacts.ts';

const sameDatabase = '--from and --to are the same database; name two.';

export const copyCommand = command<{ from?: string; to?: string }>('copy', {
  says: 'copy everything, keys included, from one database to another, and compare the two',
  examples: [
    'roster copy --from sqlite:data/roster.db --to postgres://roster@db.example.com/roster',
    'DATABASE_URL_FILE=url.txt roster copy --from sqlite:data/roster.db',
    'roster copy --from postgres://roster@db.example.com/roster --to sqlite:copy.db --json',
  ],
  more: 'Stop the service first: what it writes after the start of the copy is not in it.\nRun an interrupted copy again; it copies what is missing. Put a password into\nDATABASE_URL or PGPASSWORD: other users of the machine can see a command line.',
  options: [
    option('--from <url>', 'the database to read (default: DATABASE_URL)'),
    option('--to <url>', 'the database to write (default: DATABASE_URL)'),
  ],
  act: async (given) => {
    const source = sideOf('--from', given.from);
    const target = sideOf('--to', given.to);
    if (source.url === target.url) throw new UsageError(sameDatabase);
    await using from = await source.naming(() => openUsable(source.url, { create: false }));
    await using to = await target.naming(() => openUsable(target.url, { migrates: true }));
    if ((await from.identity()) === (await to.identity())) throw new UsageError(sameDatabase);
    const report = await copyWithProgress(from, to);
    await indexContacts(to);
    const { copied, to: side } = report;
    printResult({ ...report, equal: true }, given, () =>
      listing({ copied, ...side.rows, sha256: side.sha256, verified: 'yes' }),
    );
  },
});

type Side = '--from' | '--to';

function sideOf(name: Side, given: string | undefined) {
  const url = checkedUrl(name, given);
  return {
    url,
    naming: async <T>(work: () => Promise<T>): Promise<T> => {
      try {
        return await naming(url, work);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        error.message = `${name}: ${given === undefined ? error.message : withAdviceOn(name, error.message)}`;
        throw error;
      }
    },
  };
}

function withAdviceOn(name: Side, message: string): string {
  return message
    .replace('set DATABASE_URL to another, or make one there with "roster migrate"', `name another with ${name}`)
    .replace('run "roster migrate"', `run "DATABASE_URL=URL roster migrate" with the URL of ${name}`);
}

function checkedUrl(name: Side, url: string | undefined): string {
  if (url === undefined) return readConfig(process.env).databaseUrl;
  const checked = databaseUrl(url);
  if (typeof checked === 'string') return checked;
  throw new UsageError(`${name} ${checked.error}.`);
}

async function copyWithProgress(from: Database, to: Database): Promise<CopyReport> {
  const stopped = 'Stopped; what is copied stays, and the copy goes on when it is run again.';
  let bar: ReturnType<typeof progress> | undefined;
  try {
    return await untilInterrupted(stopped, (onStep) => {
      note('Copying everything, and comparing both sides.');
      return copyDatabase(from, to, (handled, total) => {
        onStep();
        bar ??= progress(total);
        bar.update(handled, handled);
      });
    });
  } finally {
    bar?.end();
  }
}
