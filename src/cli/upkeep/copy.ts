import type { Command } from 'commander';

import { readConfig } from '../../config/settings.ts';
import { databaseUrl } from '../../config/urls.ts';
import type { Database } from '../../database/database.ts';
import { copyDatabase, type CopyReport } from '../../database/upkeep/copy.ts';
import { AppError } from '../../errors.ts';
import { naming } from '../naming.ts';
import { openUsable } from '../open.ts';
import { listing, note, printResult, UsageError } from '../output.ts';
import { describe, type Flags, jsonOption } from '../parts.ts';
import { progress } from '../progress.ts';
import { untilInterrupted } from '../signals.ts';
import { indexContacts } from './index-contacts.ts';

const sameDatabase = '--from and --to are the same database; name two.';

export function copyCommand(parent: Command): void {
  describe(
    parent.command('copy'),
    'copy everything, keys included, from one database to another, and compare the two',
    [
      'roster copy --from sqlite:data/roster.db --to postgres://roster@db.example.com/roster',
      'DATABASE_URL_FILE=url.txt roster copy --from sqlite:data/roster.db',
      'roster copy --from postgres://roster@db.example.com/roster --to sqlite:copy.db --json',
    ],
  )
    .option('--from <url>', 'the database to read (default: DATABASE_URL)')
    .option('--to <url>', 'the database to write (default: DATABASE_URL)')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nStop the service first: what it writes after the start of the copy is not in it.\nRun an interrupted copy again; it copies what is missing. Put a password into\nDATABASE_URL or PGPASSWORD: other users of the machine can see a command line.',
    )
    .action(async (flags: Flags<{ from?: string; to?: string }>) => {
      const source = sideOf('--from', flags.from);
      const target = sideOf('--to', flags.to);
      if (source.url === target.url) throw new UsageError(sameDatabase);
      await using from = await source.naming(() => openUsable(source.url, { create: false }));
      await using to = await target.naming(() => openUsable(target.url, { migrates: true }));
      if ((await from.identity()) === (await to.identity())) throw new UsageError(sameDatabase);
      const report = await copyWithProgress(from, to);
      await indexContacts(to);
      printResult({ ...report, equal: true }, flags, () =>
        listing({
          copied: report.copied,
          ...report.to.rows,
          sha256: report.to.sha256,
          verified: 'yes',
        }),
      );
    });
}

type Side = '--from' | '--to';

function sideOf(name: Side, given: string | undefined) {
  const url = checkedUrl(name, given);
  const advice = (message: string) => (given === undefined ? message : withAdviceOn(name, message));
  return {
    url,
    naming: async <T>(work: () => Promise<T>): Promise<T> => {
      try {
        return await naming(url, work);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        throw new AppError(error.code, `${name}: ${advice(error.message)}`, { cause: error });
      }
    },
  };
}

/** The message with advice for `--from` or `--to`. As it is written, it advises on DATABASE_URL alone. */
function withAdviceOn(name: Side, message: string): string {
  return message
    .replace('set DATABASE_URL to another, or make one there with "roster migrate"', `name another with ${name}`)
    .replace('run "roster migrate"', `run "DATABASE_URL=URL roster migrate" with the URL of ${name}`);
}

/** The given URL or DATABASE_URL; throws UsageError or `settings`. */
function checkedUrl(name: Side, url: string | undefined): string {
  if (url === undefined) return readConfig(process.env).databaseUrl;
  const checked = databaseUrl(url);
  if (typeof checked === 'string') return checked;
  throw new UsageError(`${name} ${checked.error}.`);
}

async function copyWithProgress(from: Database, to: Database): Promise<CopyReport> {
  note('Copying everything, and comparing both sides.');
  const stopped = 'Stopped; what is copied stays, and the copy goes on when it is run again.';
  let bar: ReturnType<typeof progress> | undefined;
  try {
    return await untilInterrupted(stopped, (onStep) =>
      copyDatabase(from, to, (handled, total) => {
        onStep();
        bar ??= progress(total);
        bar.update(handled, handled);
      }),
    );
  } finally {
    bar?.end();
  }
}
