import { type Event } from '../writes/feed.ts';
import { type Act, type Made, outcomeOf, type Team, type Told } from './team.ts';

/** An act: when it began and ended, by a clock of its own that counts both, and what was answered. */
export interface Entry {
  requestId: string;
  act: Act;
  idempotencyKey: string | undefined;
  sent: number;
  /** Infinity where no answer came. */
  received: number;
  told?: Told;
  made: Made;
}

/** The events that tell of members, and whether the acts and their answers fit in with them. */
export interface TeamRecord {
  /**
   * Goes on with what was done since, once nothing is under way: each event has to be what its act comes to after the events
   * before it, and each answer right at some moment of its request.
   */
  judge(entries: readonly Entry[], events: readonly Event[]): string[];
  /** The team after the last event. */
  team(): Team;
  /** The event that tells of a request. */
  eventOf(requestId: string): Event | undefined;
  /** Events so far. */
  count(): number;
}

const failuresShown = 10;

export function openRecord(start: Team): TeamRecord {
  let team = start;
  const told = new Map<string, Event>();
  /** Those without an answer may come to something later on. */
  const open = new Map<string, Entry>();
  let count = 0;
  // After a first mistake all others follow from it.
  let isLost = false;
  return {
    judge: (entries, all) => {
      if (isLost) return [];
      const events = all.filter(({ type }) => /^(member|owner)\./.test(type));
      const known = new Map(open);
      for (const entry of entries) known.set(entry.requestId, entry);
      for (const entry of entries) if (!entry.told) open.set(entry.requestId, entry);
      const causes = causesOf(events, known);
      for (const [index, event] of events.entries()) {
        const requestId = causes[index]?.requestId;
        if (requestId === undefined) return [`nobody asked for ${JSON.stringify(event)}`];
        if (told.has(requestId)) return [`a second event tells of ${requestId}: ${JSON.stringify(event)}`];
        told.set(requestId, event);
        open.delete(requestId);
      }
      count += events.length;
      const { states, failures } = replay(team, events, causes as readonly Entry[]);
      isLost = failures.length > 0;
      if (isLost) return failures;
      team = states.at(-1) ?? team;
      const quiet = entries.filter((entry) => entry.told && !told.has(entry.requestId));
      return quiet.flatMap((entry) => objectionTo(entry, states, causes as readonly Entry[])).slice(0, failuresShown);
    },
    team: () => team,
    eventOf: (requestId) => told.get(requestId),
    count: () => count,
  };
}

type Cause = Entry | undefined;

/** Which act each event tells of. A hand-over by command has no request id: it is found by its member and its time. */
function causesOf(events: readonly Event[], known: ReadonlyMap<string, Entry>): Cause[] {
  const causes: Cause[] = [];
  const commands = [...known.values()].filter(({ act, told }) => act.kind === 'transfer' && told?.status === 200);
  for (const { request_id: requestId, member_id: id } of events) {
    const isIts = ({ told, sent, received }: Entry) =>
      (told?.data as { id?: string } | undefined)?.id === id &&
      causes.every((before) => (before?.sent ?? 0) < received) &&
      events.every((later, index) => index <= causes.length || receivedOf(later, known) > sent);
    const cause = requestId === null ? commands.find(isIts) : known.get(requestId);
    if (requestId === null && cause) commands.splice(commands.indexOf(cause), 1);
    causes.push(cause);
  }
  return causes;
}

function receivedOf({ request_id: requestId }: Event, known: ReadonlyMap<string, Entry>): number {
  return known.get(requestId ?? '')?.received ?? Infinity;
}

const actors: Partial<Record<Act['kind'], string>> = { transfer: 'operator', accept: 'member' };

/** The team after each event, from that before the first on. */
function replay(start: Team, events: readonly Event[], causes: readonly Entry[]) {
  const states = [start];
  for (const [index, event] of events.entries()) {
    const before = states.at(-1) ?? start;
    const cause = causes[index] as Entry;
    const made = { ...cause.made, id: cause.made.id || (event.member_id ?? '') };
    const { told, change } = outcomeOf(before, cause.act, made);
    const right = change && {
      type: change.type,
      member_id: change.id,
      changed: change.changed,
      by: actors[cause.act.kind] ?? 'key',
    };
    const { type, member_id, changed, actor } = event;
    const what = `${JSON.stringify(cause)} on ${JSON.stringify(before.members)}`;
    const failures = [
      ...(isSame(right, { type, member_id, changed, by: actor.type })
        ? []
        : [`${JSON.stringify(event)} tells of ${what}`]),
      ...(!cause.told || isSame(told, cause.told) ? [] : [`the answer is wrong, not ${JSON.stringify(told)}: ${what}`]),
      ...(index < windowOf(cause, causes).from ? [`an event from before the request tells of ${what}`] : []),
    ];
    if (failures.length > 0 || !change) return { states, failures };
    states.push(change.next);
  }
  return { states, failures: [] };
}

/** What changed nothing has to be right at some moment between request and answer. */
function objectionTo(entry: Entry, states: readonly Team[], causes: readonly Entry[]): string[] {
  const { from, to } = windowOf(entry, causes);
  const outcomes = states.slice(from, to + 1).map((team) => outcomeOf(team, entry.act, entry.made));
  if (outcomes.some(({ told, change }) => !change && isSame(told, entry.told))) return [];
  const right = outcomes.map(({ told, change }) => `${JSON.stringify(told)}${change ? ' with an event' : ''}`);
  return [`${JSON.stringify(entry)} instead of ${[...new Set(right)].join(' or ')}`];
}

/** The states that an act may have met: all changes answered before it, and none that began after it. */
function windowOf({ sent, received }: Entry, causes: readonly Entry[]): { from: number; to: number } {
  return {
    from: causes.findLastIndex((one) => one.received < sent) + 1,
    to: causes.findLastIndex((one) => one.sent < received) + 1,
  };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
