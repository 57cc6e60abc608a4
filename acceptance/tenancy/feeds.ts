import { type Api, openApi } from '../parts/api.ts';
import { type Event, objectionsToOrder, readFeed } from '../writes/feed.ts';
import { findIds, firstKeyOf } from './links.ts';
import type { Project } from './model.ts';

/** Each feed tells of its own project's members and keys, also from a cursor of another; nobody's member was harmed. */
export async function objectionsToFeeds(
  port: number,
  projects: readonly Project[],
): Promise<{ failures: string[]; joined: number }> {
  const failures: string[] = [];
  const cursors: string[] = [];
  let joined = 0;
  for (const project of projects) {
    using api = await openApi(port, firstKeyOf(project), 2);
    const asked = project.memberIds;
    await findIds(port, project);
    const lost = asked.filter((id) => !project.memberIds.includes(id));
    if (lost.length > 0) failures.push(`${project.id} has lost its members ${lost.join()}`);
    const { events } = await readFeed(api);
    const { next_cursor: cursor } = await api.data<{ next_cursor: string }>({
      method: 'GET',
      path: '/v2/events?limit=1',
    });
    const foreign = (await Promise.all(cursors.slice(-3).map((other) => eventsFrom(api, other)))).flat();
    failures.push(
      ...objectionsToOrder(events),
      ...[...events, ...foreign].flatMap((event) => objectionTo(event, project)),
    );
    cursors.push(cursor);
    joined += events.filter(({ actor }) => actor.type === 'member').length;
  }
  return { failures: failures.slice(0, 20), joined };
}

/** It may be refused, too. */
async function eventsFrom(api: Api, cursor: string): Promise<Event[]> {
  const { status, body } = await api.ask({ method: 'GET', path: `/v2/events?after=${cursor}` });
  return status === 200 ? (JSON.parse(body) as { data: { events: Event[] } }).data.events : [];
}

function objectionTo(event: Event, { id, keys, memberIds }: Project): string[] {
  const { actor, member_id, member_ids, key_id } = event;
  const members = [member_id, ...(member_ids ?? []), actor.type === 'member' ? actor.id : null];
  const own = [key_id, actor.type === 'key' ? actor.id : null];
  const isRight =
    members.every((one) => one === null || memberIds.includes(one)) &&
    own.every((one) => one === null || keys.some((key) => key.id === one));
  return isRight ? [] : [`the feed of ${id} tells ${JSON.stringify(event)}`];
}
