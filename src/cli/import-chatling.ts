import type { Command } from 'commander';

import type { ImportContext } from '../chatling/context.ts';
import { importProject } from '../chatling/import-project.ts';
import { emptyReport, type ImportReport } from '../chatling/report.ts';
import { openImportMemory } from '../files/import-memory.ts';
import { openRejects, type RejectsFile } from '../files/rejects.ts';
import { type SourceFlags, sourceOf, sourceOptions } from './chatling-options.ts';
import { chatbotProgress } from './chatling-progress.ts';
import { withStore } from './open.ts';
import { Exit, exitCodes, listing, note, printResult } from './output.ts';
import { describe } from './parts.ts';
import { interruptible } from './signals.ts';

type ImportChatlingFlags = SourceFlags & { dryRun?: boolean; reconcile?: boolean; rejects?: string };

export function importCommand(parent: Command): void {
  const group = describe(parent.command('import'), 'take a project over from another service', [
    'roster import chatling --project acme --key-file chatling-key.txt',
    'roster import chatling --project acme --key-file chatling-key.txt --reconcile',
  ]);
  describe(
    sourceOptions(group.command('chatling'))
      .option('--reconcile', 'read everybody again, and remove whom the source no longer has')
      .option('--dry-run', 'read everything, say what would happen, and store nothing')
      .option('--rejects <file>', 'write who or what cannot be stored here, as NDJSON with the reason'),
    'take a project over from Chatling, or from another Roster: its name and limits, chatbots, contacts and members, under their ids. Run again after an interruption it goes on where it was; later it takes over newcomers. A project that does not exist is created',
    [
      'roster import chatling --project acme --key-file chatling-key.txt',
      'roster import chatling --project acme --key-file chatling-key.txt --reconcile --rejects rejected.ndjson',
      'roster import chatling --project acme --key-file - --base-url https://roster.example.com/v2 --dry-run < key.txt',
    ],
    {
      exits: {
        badData: 'bad data: somebody or something was rejected',
        unavailable: 'the source or the database is unavailable, or refuses the key',
      },
    },
  ).action(importChatling);
}

async function importChatling(flags: ImportChatlingFlags): Promise<void> {
  const stopping = new AbortController();
  using _ = interruptible((interruption) => stopping.abort(interruption));
  const report = emptyReport(flags.project, flags.dryRun === true);
  const bar = chatbotProgress();
  try {
    await withStore(async (store) => {
      const source = await sourceOf(flags, stopping.signal, bar.end);
      using rejects = flags.rejects === undefined ? undefined : openRejects(flags.rejects, 'ndjson', report.dry_run);
      const context: ImportContext = {
        source,
        store,
        report,
        projectId: flags.project,
        isDryRun: report.dry_run,
        isReconciling: flags.reconcile === true,
        openMemory: () => openImportMemory(report.dry_run),
        onRejected: rejecting(report, rejects),
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
    });
  } catch (error) {
    bar.end();
    noteStop(report);
    throw error;
  }
  bar.end();
  noteEnd(report, flags);
  printResult(report, flags, () => reportText(report));
  if (rejectedIn(report) > 0) throw new Exit(exitCodes.badData);
}

function rejecting(report: ImportReport, rejects: RejectsFile | undefined): ImportContext['onRejected'] {
  let line = 0;
  return (raw, reason, where) => {
    const own = { ...where, ...raw };
    rejects?.write({ line: ++line, headings: Object.keys(own), cells: [], original: Object.values(own) }, reason);
    report.rejects_file = rejects?.path ?? null;
  };
}

function rejectedIn({ chatbots, contacts, members }: ImportReport): number {
  return chatbots.rejected + contacts.rejected + members.rejected;
}

function noteStop({ dry_run: isDryRun, contacts }: ImportReport): void {
  if (isDryRun) return note('Stopped; it was a dry run, so nothing was stored.');
  const { read, created, updated } = contacts;
  note(`Stopped after ${read} contacts: ${created} created, ${updated} updated. They are kept; run it again to go on.`);
}

function noteEnd(report: ImportReport, { rejects }: ImportChatlingFlags): void {
  const { contacts } = report;
  if (report.dry_run) note('Dry run: nothing was stored.');
  if (contacts.values_left_out > 0) note('Some contacts were stored without values that Roster cannot keep.');
  if (contacts.times_unknown > 0) note('Where the source gives no readable time, that of the import stands.');
  const isLost = rejectedIn(report) + contacts.values_left_out > 0;
  if (isLost && rejects === undefined) note('See them all with --reconcile --rejects FILE.');
}

function reportText({ chatbots, contacts, members, ...rest }: ImportReport): string {
  const { project, requests, waited_seconds, rejects_file } = rest;
  return listing({
    project,
    chatbots: told(chatbots),
    contacts: told(contacts),
    members: told(members),
    requests: `${requests}, ${waited_seconds} s waited`,
    rejects_file: rejects_file ?? 'none',
  });
}

/** The counts, without those that are 0 behind `unchanged`. */
function told(counts: object): string {
  return Object.entries(counts)
    .filter(([name, count], place) => place <= lastUsual || count > 0 || name === 'rejected')
    .map(([name, count]) => `${count} ${name.replaceAll('_', ' ')}`)
    .join(', ');
}

const lastUsual = 3;
