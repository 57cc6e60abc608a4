import { setTimeout as sleep } from 'node:timers/promises';

import { operator } from '../actor.ts';
import { AppError } from '../errors.ts';
import { type Event, eventTypes } from '../events/event.ts';
import { eventLimitMax, listEvents, waitSecondsMax } from '../events/feed.ts';
import { type Format, formats } from '../files/formats.ts';
import { type Ran, run } from '../operation.ts';
import type { Store } from '../store.ts';
import { exportFile } from './contacts/export-file.ts';
import { fileColumns, filterOf, flat, type WhoAndWhen, whoAndWhen } from './event-filters.ts';
import { counted, jsonOf, note, noteNext, printResult } from './output.ts';
import { type Flags, group, option } from './parts.ts';
import { inProject, type InProject } from './places.ts';
import { placed } from './plain.ts';
import { stopSignal } from './signals.ts';
import { growingTable, table } from './table.ts';
import { taking } from './taking.ts';

const retryEveryMs = 1_000;

const taken = taking(listEvents, {
  after: ['--after <cursor>', 'go on after this cursor, the next_cursor of an earlier list'],
  limit: `how many, 1 to ${eventLimitMax} (default: 100)`,
  type: [
    '--type <type>',
    `one of ${eventTypes.join(', ')}; or all of a kind, such as contact.*; may be repeated (default: all)`,
  ],
  chatbot_id: ['--chatbot <id>', 'only what is about this chatbot or its contacts'],
  contact_id: ['--contact <id>', 'only what is about this contact, alone or among others'],
});

type Input = Parameters<typeof listEvents.run>[2];
type Given = Flags<InProject & WhoAndWhen & { follow?: boolean; newestFirst?: boolean; format?: Format }>;

const list = placed('list', inProject, {
  says: 'list changes: who changed what, never the values; the oldest first, or the newest',
  examples: [
    'roster events list --project acme --json',
    'roster events list --project acme --since yesterday --actor ana@example.com',
    'roster events list --project acme --type key.created --type key.revoked',
    'roster events list --project acme --since 30d --format csv > activity.csv',
    'roster events list --project acme --chatbot 8839210412 --follow --json',
  ],
  more: 'With --follow --json each event is a JSON object on a line of its own. The last\nline of stderr, "next: --after CURSOR", says how to go on.',
  taken,
  options: [
    ...whoAndWhen,
    option('--newest-first', 'begin with the newest'),
    option('--format <format>', 'print all of them for a file, not some in a table')
      .choices(formats)
      .conflicts('limit'),
    option('--follow', 'list all, then print each event as it comes, until Ctrl-C').conflicts([
      'limit',
      'newestFirst',
      'format',
    ]),
  ],
  act: async ({ store, projectId, ask }, given: Given) => {
    const input = {
      ...taken.inputOf(given),
      ...(await filterOf(store, projectId, given)),
      ...(given.newestFirst === true && { order: 'desc' as const }),
    };
    if (given.follow === true) return follow(store, projectId, input, given);
    if (given.format !== undefined) {
      const pages = pagesOf((after) =>
        ask(listEvents, { ...input, limit: eventLimitMax, ...(after !== undefined && { after }) }),
      );
      await exportFile(given, () => ({ pages, fields: fileColumns }));
      return;
    }
    const output = await ask(listEvents, input);
    printResult(output, given, () => table(output.events.map(rowOf), columns));
    noteNext('--after', output, given);
  },
});

export const eventsCommand = group(
  'events',
  'list what has changed in a project',
  ['roster events list --project acme', 'roster events list --project acme --follow'],
  [list],
);

async function* pagesOf(ask: (after?: string) => Promise<{ events: Event[]; next_cursor: string | null }>) {
  for (let after: string | undefined; ;) {
    const { events, next_cursor: next } = await ask(after);
    if (events.length > 0) yield events.map(flat);
    if (next === null || events.length === 0) return;
    after = next;
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function follow(store: Store, projectId: string, given: Input, { json }: Flags): Promise<void> {
  const end = new AbortController();
  const { signal } = end;
  const stop = () => end.abort();
  void stopSignal().then(stop);
  process.stdout.once('error', stop);
  const openWaiter = () => ({
    next: (project: string, after: bigint) => store.watch.next(project, after, signal),
    [Symbol.dispose]: () => undefined,
  });
  const lines = growingTable<ReturnType<typeof rowOf>>(widths);
  if (json !== true) print(lines.heading);
  const input = { ...given, limit: eventLimitMax, wait: waitSecondsMax };
  let next: string | undefined;
  try {
    while (!signal.aborted) {
      const asked = { ...input, ...(next !== undefined && { after: next }) };
      const output = await patient(
        () => run(listEvents, store, operator(projectId), asked, { openWaiter, signal }),
        signal,
      );
      if (!output) break;
      for (const event of output.events) print(json === true ? jsonOf(event) : lines.row(rowOf(event)));
      next = output.next_cursor ?? undefined;
    }
  } finally {
    if (next !== undefined) note(`next: --after ${next}`);
  }
}

/** Tries again each second while the store is away, which it notes once; undefined once the signal is aborted. */
async function patient<Output>(work: () => Promise<Ran<Output>>, signal: AbortSignal): Promise<Output | undefined> {
  for (let isNoted = false; !signal.aborted; isNoted = true) {
    try {
      return (await work()).output;
    } catch (error) {
      if (signal.aborted) return undefined;
      if (!(error instanceof AppError) || error.code !== 'unavailable') throw error;
      if (!isNoted) note(`${error.message} Trying again each second, until Ctrl-C.`);
      await sleep(retryEveryMs, undefined, { signal }).catch(() => undefined);
    }
  }
  return undefined;
}

const widths = { sequence: 8, occurred_at: 25, type: 17, actor: 40, about: 36, changed: 0 };
const columns = Object.keys(widths) as (keyof typeof widths)[];

function rowOf(event: Event) {
  const { sequence, occurred_at, type, actor, changed } = event;
  const { contact_ids: contacts, member_ids: members } = event;
  // A merge has the contact that stays beside those that were merged into it.
  const about =
    event.contact_id ??
    (contacts && counted(contacts.length, 'contact', 'contacts')) ??
    (members && counted(members.length, 'member', 'members')) ??
    event.member_id ??
    event.key_id ??
    event.chatbot_id;
  return { sequence, occurred_at, type, actor: `${actor.type} ${actor.id}`, about, changed };
}
