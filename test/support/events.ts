import { operator } from '../../src/actor.ts';
import type { Event, EventFilter, NewEvent } from '../../src/events/event.ts';
import type { Store } from '../../src/store.ts';

/** The events of a project, all of them unless the filter says otherwise. */
export async function eventsOf(
  store: Pick<Store, 'events'>,
  projectId: string,
  filter: Partial<EventFilter> = {},
): Promise<Event[]> {
  const { events } = await store.events.list(projectId, { after: 0n, types: [], limit: 10_000, ...filter });
  return events;
}

/** A write that reports these changes and stores nothing else. */
export function report(store: Store, projectId: string, ...changes: NewEvent[]): Promise<void> {
  return store.write(operator(projectId), async () => ({ output: undefined, changes }));
}
