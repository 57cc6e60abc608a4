import { statSync } from 'node:fs';

import { restore, type RestoreReport } from '../../database/upkeep/restore.ts';
import type { TakenAway } from '../../database/upkeep/take-away.ts';
import { fileStamp } from '../../values/timestamp.ts';
import { openUsable } from '../open.ts';
import { age, counted, note } from '../output.ts';
import { command, option } from '../parts.ts';
import { printBackup, requireSqlite, rowsOf } from './backup.ts';
import { indexContacts } from './index-contacts.ts';

const pgRestore =
  'PostgreSQL has tools of its own for this; run pg_restore --exit-on-error --dbname=NAME FILE into an empty database, or "roster copy --from sqlite:FILE" to copy an SQLite backup into it.';

export const restoreCommand = command<{ file: string; asItWas?: boolean; revokeKeys?: boolean }>('restore', {
  says: 'put a backup in the place of the SQLite database, and move the old files aside',
  examples: ['roster restore roster-2026-11-22.db', 'roster restore backups/roster-2026-11-22T14-05-09Z.db --json'],
  more: 'Stop the service first: nothing is changed while any process has the database\nopen. The backup is verified, and stays. What was taken away since the backup\nis taken away again. The old files are moved aside, never deleted, and the\nreport names them.',
  args: { '<file>': 'the backup to restore' },
  options: [
    option('--as-it-was', 'bring back what was revoked, removed, purged or deleted since the backup'),
    option('--revoke-keys', 'end all API keys, for when later revocations are unknown'),
  ],
  act: async (given) => {
    const { path, url } = requireSqlite(pgRestore);
    const report = await restore(given.file, path, fileStamp(new Date()), given);
    if (report.migrated.length > 0) {
      note(`${counted(report.migrated.length, 'migration was', 'migrations were')} applied to it.`);
      await using database = await openUsable(url, { create: false });
      await indexContacts(database);
    }
    tell(report);
    const { replaced, taken_away: takenAway, comes_back: comesBack, lost, ...rest } = report;
    printBackup(report, given, () => ({
      ...rest,
      newest_change: age(report.newest_change ?? statSync(given.file).mtime.toISOString()),
      replaced: replaced && [`newest change ${age(replaced.newest_change)}`, ...rowsOf(replaced.rows)],
      taken_away: takenAway && listOf(takenAway),
      comes_back: comesBack && listOf(comesBack),
      lost: lost && lostIn(lost),
    }));
  },
});

function tell(report: RestoreReport): void {
  const {
    comparison,
    taken_away: takenAway,
    comes_back: comesBack,
    lost,
    keys_ended: ended,
    webhooks_disabled: still,
  } = report;
  if (comparison === 'unknown') {
    const advice = ended > 0 ? '' : '; run it with --revoke-keys to end all keys';
    note(
      `The present database is missing or cannot be read, so revocations and erasures since the backup are unknown${advice}.`,
    );
  } else if (comparison === 'unrelated') {
    note('The present database knows no project of the backup, so nothing was taken away from it.');
  } else if (takenAway && listOf(takenAway).length > 0) {
    note(
      `Taken away again, because it was taken away after the backup: ${listOf(takenAway).join(', ')}; --as-it-was brings it back.`,
    );
  } else if (comesBack && listOf(comesBack).length > 0) {
    note(`Comes back, although it was taken away after the backup: ${listOf(comesBack).join(', ')}.`);
  }
  if (lost && lostIn(lost).length > 0)
    note(`Lost, because it was made after the backup: ${lostIn(lost).join(', ')}; create it again.`);
  if (ended > 0) note(`${counted(ended, 'API key', 'API keys')} ended; create new ones with "roster keys create".`);
  if (still > 0)
    note(
      `${counted(still, 'webhook is', 'webhooks are')} disabled, so that this copy posts to nobody; enable each with "roster webhooks update ID --state active".`,
    );
}

function lostIn({ keys, webhooks }: NonNullable<RestoreReport['lost']>): string[] {
  return [
    ...(keys > 0 ? [counted(keys, 'API key', 'API keys')] : []),
    ...(webhooks > 0 ? [counted(webhooks, 'webhook', 'webhooks')] : []),
  ];
}

const words: Record<keyof TakenAway, [one: string, many: string]> = {
  projects: ['project deleted', 'projects deleted'],
  chatbots: ['chatbot deleted', 'chatbots deleted'],
  contacts_purged: ['contact purged', 'contacts purged'],
  contacts_deleted: ['contact deleted', 'contacts deleted'],
  members: ['member removed', 'members removed'],
  roles: ['member with fewer rights', 'members with fewer rights'],
  invitations: ['invitation withdrawn', 'invitations withdrawn'],
  passkeys: ['passkey removed', 'passkeys removed'],
  keys_revoked: ['key revoked', 'keys revoked'],
  keys_narrowed: ['key narrowed', 'keys narrowed'],
  keys_rotated: ['key rotated', 'keys rotated'],
  webhooks_deleted: ['webhook deleted', 'webhooks deleted'],
  webhooks_disabled: ['webhook disabled', 'webhooks disabled'],
  webhooks_rotated: ['webhook with a new secret', 'webhooks with a new secret'],
  webhooks_changed: ['webhook changed', 'webhooks changed'],
};

function listOf(taken: TakenAway): string[] {
  return Object.entries(words).flatMap(([kind, [one, many]]) => {
    const number = taken[kind as keyof TakenAway];
    return number === 0 ? [] : [counted(number, one, many)];
  });
}
