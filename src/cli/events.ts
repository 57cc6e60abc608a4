import { type Command, InvalidArgumentError, Option } from 'commander';

import { operator } from '../actor.ts';
import { eventLimitMax, listEvents } from '../event-feed.ts';
import { type EventType, eventTypes } from '../events.ts';
import { run } from '../operation.ts';
import { requireProject } from '../projects/project.ts';
import { withStore } from './open.ts';
import { note, printResult, table } from './output.ts';
import { collect, describe, type Flags, jsonOption, projectOption } from './parts.ts';

interface Filter {
  project: string;
  after?: string;
  limit?: number;
  type?: EventType[];
}

export function eventsCommand(parent: Command): void {
  const events = describe(parent.command('events'), 'list what has changed in a project', [
    'roster events list --project acme',
    'roster events list --project acme --type key.revoked',
  ]);

  describe(events.command('list'), 'list changes, oldest first: who changed what, never the values', [
    'roster events list --project acme --json',
    'roster events list --project acme --type key.created --type key.revoked',
  ])
    .addOption(projectOption())
    .option('--after <cursor>', 'go on after this cursor, the next_cursor of an earlier list')
    .option('--limit <number>', `how many, 1 to ${eventLimitMax} (default: 100)`, parseLimit)
    .addOption(
      new Option('--type <type>', `one of ${eventTypes.join(', ')}; may be repeated (default: all)`).argParser(
        parseEventType,
      ),
    )
    .addOption(jsonOption())
    .action(async (flags: Flags<Filter>) => {
      const { project, after, limit, type: types } = flags;
      const { output } = await withStore(async (store) => {
        await requireProject(store.projects, project);
        return run(listEvents, store, operator(project), {
          ...(after !== undefined && { after }),
          ...(limit !== undefined && { limit }),
          ...(types && { type: types.join(',') }),
        });
      });
      printResult(output, flags, () => table(output.events.map(rowOf), columns));
      if (flags.json !== true) note(`next: --after ${output.next_cursor}`);
    });
}

const columns = ['sequence', 'occurred_at', 'type', 'actor', 'about', 'changed'] as const;

function rowOf(event: Awaited<ReturnType<typeof listEvents.run>>['events'][number]) {
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
