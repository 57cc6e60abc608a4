import { call, roster } from './api.ts';
import { type Loaded, useQuery } from './query.ts';
import { useSession } from './session.tsx';
import type { Event, Key } from './types.ts';

const membersMax = 1_000;

/** The keys of the project, oldest first; none for those who may not see them. */
export function useApiKeys(): Loaded<Key[]> {
  const { can } = useSession();
  return useQuery(['keys'], async (signal) =>
    can('administration') ? (await call<{ keys: Key[] }>('GET', '/keys', {}, { signal })).keys : [],
  );
}

/** How members and keys are called, as far as the roles show it. */
export function useNames(): ReadonlyMap<string, string> {
  const { can } = useSession();
  const { data: keys = [] } = useApiKeys();
  const { data: members = [] } = useQuery(['members', 'names'], async (signal) => {
    const names: [string, string][] = [];
    if (!can('members:read')) return names;
    for await (const { id = '', email } of roster.listMembers({ include: ['id'] }, { signal })) {
      if (names.push([id, email]) === membersMax) break;
    }
    return names;
  });
  return new Map([...members, ...keys.map(({ id, name }) => [id, name] as const)]);
}

/** The name of the actor, if known. */
export function doerOf({ actor: { type, id } }: Pick<Event, 'actor'>, names: ReadonlyMap<string, string>): string {
  const name = names.get(id);
  if (type === 'member') return name ?? 'A member';
  if (type === 'key') return name === undefined ? 'An API key' : `The API key ${name}`;
  return type === 'operator' ? 'The operator of Roster' : `Roster, by itself (${id})`;
}
