import { api } from './api.ts';
import { useSession } from './session.tsx';
import { useLoad } from './use-load.ts';

/** How members and keys are called, as far as the roles show it. */
export function useNames(): ReadonlyMap<string, string> {
  const { can } = useSession();
  const { data } = useLoad(async (signal) => {
    const names = new Map<string, string>();
    if (can('members:read')) {
      const query = { include: 'id' };
      const { members } = await api.get<{ members: { id: string; email: string }[] }>('/members', { query, signal });
      for (const { id, email } of members) names.set(id, email);
    }
    if (can('administration')) {
      const { keys } = await api.get<{ keys: { id: string; name: string }[] }>('/keys', { signal });
      for (const { id, name } of keys) names.set(id, name);
    }
    return names;
  });
  return data ?? noNames;
}

const noNames: ReadonlyMap<string, string> = new Map();

interface Done {
  actor: { type: 'key' | 'member' | 'operator' | 'job'; id: string };
}

/** Who did it, by the names that are known. */
export function doerOf({ actor: { type, id } }: Done, names: ReadonlyMap<string, string>): string {
  const name = names.get(id);
  if (type === 'member') return name ?? 'A member';
  if (type === 'key') return name === undefined ? 'An API key' : `The API key ${name}`;
  return type === 'operator' ? 'The command line' : `Roster, by itself (${id})`;
}
