import { call, roster } from './api.ts';
import { useSession } from './session.tsx';
import type { Event, Key } from './types.ts';
import { useLoad } from './use-load.ts';

const membersMax = 1_000;

/** How members and keys are called, as far as the roles show it. */
export function useNames(): ReadonlyMap<string, string> {
  const { can } = useSession();
  const { data } = useLoad(async (signal) => {
    const names = new Map<string, string>();
    if (can('members:read')) {
      for await (const { id = '', email } of roster.listMembers({ include: ['id'] }, { signal })) {
        names.set(id, email);
        if (names.size === membersMax) break;
      }
    }
    if (can('administration')) {
      const { keys } = await call<{ keys: Key[] }>('GET', '/keys', {}, { signal });
      for (const { id, name } of keys) names.set(id, name);
    }
    return names;
  });
  return data ?? noNames;
}

const noNames: ReadonlyMap<string, string> = new Map();

/** The name of the actor, if known. */
export function doerOf({ actor: { type, id } }: Pick<Event, 'actor'>, names: ReadonlyMap<string, string>): string {
  const name = names.get(id);
  if (type === 'member') return name ?? 'A member';
  if (type === 'key') return name === undefined ? 'An API key' : `The API key ${name}`;
  return type === 'operator' ? 'The operator of Roster' : `Roster, by itself (${id})`;
}
