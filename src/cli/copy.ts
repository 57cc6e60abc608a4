import type { Command } from 'commander';

import { databaseUrl } from '../config-urls.ts';
import { readConfig } from '../config.ts';
import { copyDatabase, type CopyReport } from '../database/copy.ts';
import type { Database } from '../database/database.ts';
import { migrate } from '../database/migrate.ts';
import { openDatabase, requireUsable, sqlitePath } from '../database/open-store.ts';
import { AppError } from '../errors.ts';
import { naming } from './naming.ts';
import { type Exit, listing, note, printResult, UsageError } from './output.ts';
import { describe, type Flags, jsonOption } from './parts.ts';
import { progress } from './progress.ts';
import { interruptible } from './signals.ts';

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
      const fromUrl = checkedUrl('--from', flags.from);
      const toUrl = checkedUrl('--to', flags.to);
      if (fromUrl === toUrl) throw new UsageError(sameDatabase);
      await using from = await side('--from', fromUrl, () => openDatabase(fromUrl, { create: false }));
      await side('--from', fromUrl, () => requireUsable(from, {}));
      await using to = await side('--to', toUrl, () => openDatabase(toUrl));
      await side('--to', toUrl, async () => {
        if (sqlitePath(toUrl) !== undefined) await migrate(to);
        await requireUsable(to, {});
      });
      if ((await from.identity()) === (await to.identity())) throw new UsageError(sameDatabase);
      const report = await copyWithProgress(from, to);
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

async function side<T>(name: '--from' | '--to', url: string, work: () => Promise<T>): Promise<T> {
  try {
    return await naming(url, work);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError(error.code, `${name}: ${error.message}`, { cause: error });
  }
}

/** The given URL or DATABASE_URL; throws UsageError or `settings`. */
function checkedUrl(name: '--from' | '--to', url: string | undefined): string {
  if (url === undefined) return readConfig(process.env).databaseUrl;
  const checked = databaseUrl(url);
  if (typeof checked === 'string') return checked;
  throw new UsageError(`${name} ${checked.error}.`);
}

async function copyWithProgress(from: Database, to: Database): Promise<CopyReport> {
  let interruption: Exit | undefined;
  using _ = interruptible((reason) => (interruption = reason));
  const said = new Set<string>();
  let phase: string | undefined;
  let bar: ReturnType<typeof progress> | undefined;
  try {
    return await copyDatabase(from, to, (next, rows, total) => {
      if (interruption) throw interruption;
      if (phase !== next) {
        bar?.end();
        const sentence = next === 'copy' ? `Copying ${total} rows.` : 'Reading both sides whole, to compare them.';
        // API keys are copied and compared in a second round.
        if (!said.has(sentence)) note(sentence);
        said.add(sentence);
        phase = next;
        bar = progress(total);
      }
      bar?.update(rows, rows);
    });
  } catch (error) {
    bar?.end();
    if (error === interruption) note('Stopped; what is copied stays, and the copy goes on when it is run again.');
    throw error;
  } finally {
    bar?.end();
  }
}
