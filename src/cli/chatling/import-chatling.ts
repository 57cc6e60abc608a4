import { emptyReport, type ImportContext, type ImportReport } from '../../chatling/context.ts';
import { importProject } from '../../chatling/import-project.ts';
import { openImportMemory } from '../../files/import-memory.ts';
import { openRejects } from '../../files/rejects.ts';
import { Exit, exitCodes } from '../failures.ts';
import { counted, listing, note, printResult } from '../output.ts';
import { command, group, option } from '../parts.ts';
import { inProject } from '../places.ts';
import { type OpenedSource, type SourceFlags, sourceOptions, withSource } from './with-source.ts';

type ImportChatlingFlags = SourceFlags & { dryRun?: boolean; reconcile?: boolean; rejects?: string };

const chatling = command<ImportChatlingFlags>('chatling', {
  says: 'import a project from Chatling, or from another Roster: its name and limits, chatbots and contacts with their ids, and members. After an interruption, run it again: it continues where it stopped. Later runs import new contacts. It creates the project if it does not exist',
  examples: [
    'roster import chatling --project acme --key-file chatling-key.txt',
    'roster import chatling --project acme --key-file chatling-key.txt --reconcile --rejects rejected.ndjson',
    'roster import chatling --project acme --key-file - --base-url https://roster.example.com/v2 --dry-run < key.txt',
  ],
  exits: {
    badData: 'bad data: a chatbot, contact or member was rejected',
    unavailable: 'the source or the database is unavailable, or refuses the key',
  },
  place: inProject,
  options: [
    ...sourceOptions('import only this chatbot and its contacts; members come all the same'),
    option('--reconcile', 'read everything again, and remove contacts and members that the source no longer has'),
    option('--dry-run', 'read everything, say what would happen, and store nothing'),
    option('--rejects <file>', 'write what cannot be stored to this file, as NDJSON with the reason'),
  ],
  act: importChatling,
});

export const importCommand = group(
  'import',
  'import a project from another service',
  [
    'roster import chatling --project acme --key-file chatling-key.txt',
    'roster import chatling --project acme --key-file chatling-key.txt --reconcile',
  ],
  [chatling],
);

async function importChatling(flags: ImportChatlingFlags): Promise<void> {
  const report = emptyReport(flags.project, flags.dryRun === true);
  try {
    await withSource(flags, (opened) => importFrom(opened, flags, report));
  } catch (error) {
    noteStop(report, flags);
    throw error;
  }
  noteEnd(report, flags);
  printResult(report, flags, () => reportText(report));
  if (rejectedIn(report) > 0) throw new Exit(exitCodes.badData);
}

async function importFrom(
  { source, store, bar }: OpenedSource,
  flags: ImportChatlingFlags,
  report: ImportReport,
): Promise<void> {
  if (!source.isRoster)
    note('Each key has its own rate limit: use a separate key, and your other programs keep theirs.');
  using rejects = flags.rejects === undefined ? undefined : openRejects(flags.rejects, 'ndjson', report.dry_run);
  let line = 0;
  const context: ImportContext = {
    source,
    store,
    report,
    projectId: flags.project,
    isDryRun: report.dry_run,
    isReconciling: flags.reconcile === true,
    openMemory: openImportMemory,
    onRejected: (raw, reason, where) => {
      const own = { ...where, ...raw };
      rejects?.write({ line: ++line, headings: Object.keys(own), cells: Object.values(own) }, reason);
      report.rejects_file = rejects?.path ?? null;
    },
    onNote: (sentence) => {
      bar.end();
      note(sentence);
    },
    onProgress: bar.update,
  };
  try {
    await importProject(context, flags.chatbot ?? []);
  } finally {
    report.requests = source.counts.requests;
    report.waited_seconds = Math.round(source.counts.waitedMs / 1000);
  }
}

function rejectedIn({ chatbots, contacts, members }: ImportReport): number {
  return chatbots.rejected + contacts.rejected + members.rejected;
}

function noteStop({ dry_run: isDryRun, contacts }: ImportReport, { reconcile }: ImportChatlingFlags): void {
  if (isDryRun) return note('Stopped; it was a dry run, so nothing was stored.');
  const { read, created, updated, deleted } = contacts;
  if (read === 0) return note('Stopped before the first contact.');
  const changes = `${created} created, ${updated} updated${deleted > 0 ? `, ${deleted} deleted` : ''}`;
  const next = reconcile === true ? 'run it again, and it begins anew' : 'run it again to go on';
  note(`Stopped after ${read} contacts: ${changes}. The changes are kept; ${next}.`);
}

const idsShown = 5;

function noteEnd(report: ImportReport, { rejects }: ImportChatlingFlags): void {
  const { chatbots, contacts } = report;
  if (report.dry_run) note('Dry run: nothing was stored.');
  if (contacts.values_left_out > 0) note('Roster cannot store some values; it leaves them out.');
  if (contacts.times_unknown > 0) note('Contacts without a readable time get the time of the import.');
  const { length } = report.look_known;
  const who = report.look_known.slice(0, idsShown).join(', ') + (length > idsShown ? ', …' : '');
  if (length > 0)
    note(
      `${counted(length, 'new contact looks', 'new contacts look')} like somebody who was there: ${who}; see "roster contacts duplicates".`,
    );
  if (chatbots.not_at_source > 0) note('"roster chatbots delete" deletes chatbots that the source does not have.');
  const isLost = rejectedIn(report) + contacts.values_left_out > 0;
  if (isLost && rejects === undefined)
    note('To list what was rejected or left out, run again with --dry-run --rejects FILE.');
}

function reportText({ chatbots, contacts, members, ...rest }: ImportReport): string {
  const { project, requests, waited_seconds, rejects_file } = rest;
  return listing({
    project,
    chatbots: told(chatbots),
    contacts: told(contacts),
    members: told(members),
    requests: `${requests}, ${waited_seconds} s waited`,
    rejects_file,
  });
}

/** The first four counts and `rejected` always; the others only above 0. */
function told(counts: object): string {
  return Object.entries(counts)
    .filter(([name, count], place) => place < 4 || count > 0 || name === 'rejected')
    .map(([name, count]) => `${count} ${name.replaceAll('_', ' ')}`)
    .join(', ');
}
