import { setTimeout as sleep } from 'node:timers/promises';

import { type Command, InvalidArgumentError, Option } from 'commander';

import { operator } from '../actor.ts';
import { AppError } from '../errors.ts';
import { type Event, type EventType, eventTypes } from '../events/event.ts';
import { eventLimitMax, listEvents, waitSecondsMax } from '../events/feed.ts';
import { type Ran, run } from '../operation.ts';
import { requireProject } from '../projects/project.ts';
import type { Store } from '../store.ts';
import { withStore } from './open.ts';
import { jsonOf, note, printResult } from './output.ts';
import { collect, describe, type Flags, jsonOption, projectOption } from './parts.ts';
import { stopSignal } from './signals.ts';
import { growingTable, table } from './table.ts';

const retryEveryMs = 1_000;

interface Filter {
  project: string;
  after?: string;
  limit?: number;
  type?: EventType[];
  chatbot?: string;
  follow?: boolean;
}

export function eventsCommand(parent: Command): void {
  const events = describe(parent.command('events'), 'list what has changed in a project', [
    'roster events list --project acme',
    'roster events list --project acme --follow',
  ]);

  describe(events.command('list'), 'list changes, oldest first: who changed what, never the values', [
    'roster events list --project acme --json',
    'roster events list --project acme --type key.created --type key.revoked',
    'roster events list --project acme --chatbot 8839210412 --follow --json',
  ])
    .addOption(projectOption())
    .option('--after <cursor>', 'go on after this cursor, the next_cursor of an earlier list')
    .option('--limit <number>', `how many, 1 to ${eventLimitMax} (default: 100)`, parseLimit)
    .addOption(
      new Option('--type <type>', `one of ${eventTypes.join(', ')}; may be repeated (default: all)`).argParser(
        parseEventType,
      ),
    )
    .option('--chatbot <id>', 'only what is about this chatbot or its contacts')
    .addOption(new Option('--follow', 'list all, then print each event as it comes, until Ctrl-C').conflicts('limit'))
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nWith --follow --json each event is a JSON object on a line of its own. The last\nline of stderr, "next: --after CURSOR", says how to go on.',
    )
    .action(async (flags: Flags<Filter>) => {
      const { project } = flags;
      await withStore(async (store) => {
        await requireProject(store.projects, project);
        if (flags.follow === true) return follow(store, flags);
        const { output } = await run(listEvents, store, operator(project), inputOf(flags));
        printResult(output, flags, () => table(output.events.map(rowOf), columns));
        if (flags.json !== true) note(`next: --after ${output.next_cursor}`);
      });
    });
}

function inputOf({ after, limit, type, chatbot }: Filter): ListEvents {
  return {
    ...(after !== undefined && { after }),
    ...(limit !== undefined && { limit }),
    ...(type && { type }),
    ...(chatbot !== undefined && { chatbot_id: chatbot }),
  };
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Ends with Ctrl-C, or when stdout is closed. */
async function follow(store: Store, flags: Flags<Filter>): Promise<void> {
  const end = new AbortController();
  const { signal } = end;
  const stop = () => end.abort();
  void stopSignal().then(stop);
  process.stdout.once('error', stop);
  const openWaiter = () => ({
    next: (projectId: string, after: bigint) => store.watch.next(projectId, after, signal),
    [Symbol.dispose]: () => undefined,
  });
  const lines = growingTable<ReturnType<typeof rowOf>>(widths);
  if (flags.json !== true) print(lines.heading);
  const input = { ...inputOf(flags), limit: eventLimitMax, wait: waitSecondsMax };
  let next: string | undefined;
  try {
    while (!signal.aborted) {
      const given = { ...input, ...(next !== undefined && { after: next }) };
      const output = await patient(
        () => run(listEvents, store, operator(flags.project), given, { openWaiter, signal }),
        signal,
      );
      if (!output) break;
      for (const event of output.events) print(flags.json === true ? jsonOf(event) : lines.row(rowOf(event)));
      next = output.next_cursor;
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

type ListEvents = Parameters<typeof listEvents.run>[2];

function rowOf(event: Event) {
  const { sequence, occurred_at, type, actor, changed } = event;
  const many = event.contact_ids ?? event.member_ids;
  const about = many
    ? `${many.length} ${event.contact_ids ? 'contact' : 'member'}${many.length === 1 ? '' : 's'}`
    : (event.contact_id ?? event.member_id ?? event.key_id ?? event.chatbot_id);
  return { sequence, occurred_at, type, actor: `${actor.type} ${actor.id}`, about, changed };
}

function parseLimit(value: string): number {
  const number = Number(value);
  if (/^\d{1,3}$/.test(value) && number >= 1 && number <= eventLimitMax) return number;
  throw new InvalidArgumentError(`Allowed are whole numbers from 1 to ${eventLimitMax}.`);
}

function parseEventType(value: string, previous?: EventType[]): EventType[] {
  const known = eventTypes.find((type) => type === value);
  if (known) return collect(known, previous);
  throw new InvalidArgumentError(`Allowed are ${eventTypes.join(', ')}.`);
}
