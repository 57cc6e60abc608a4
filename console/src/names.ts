import { api } from './api.ts';
import { useSession } from './session.tsx';
import { useLoad } from './use-load.ts';

/** How members and keys are called, as far as the roles show it. */
export function useNames(): ReadonlyMap<string, string> {
  const { can } = useSession();
  const { data } = useLoad(async (signal) => {
    const names = new Map<string, string>();
    if (can('members:read')) {
      for (const { id, email } of await allMembers(signal)) names.set(id, email);
    }
    if (can('administration')) {
      const { keys } = await api.get<{ keys: { id: string; name: string }[] }>('/keys', { signal });
      for (const { id, name } of keys) names.set(id, name);
    }
    return names;
  });
  return data ?? noNames;
}

interface MemberPage {
  pages: { last_page: number };
  members: { id: string; email: string }[];
}

const pagesMax = 10;

async function allMembers(signal: AbortSignal): Promise<MemberPage['members']> {
  const all: MemberPage['members'] = [];
  for (let page = 1, last = 1; page <= Math.min(last, pagesMax); page++) {
    const query = { page, per_page: 100, include: 'id' };
    const { members, pages } = await api.get<MemberPage>('/members', { query, signal });
    all.push(...members);
    last = pages.last_page;
  }
  return all;
}

const noNames: ReadonlyMap<string, string> = new Map();

interface Done {
  actor: { type: 'key' | 'member' | 'operator' | 'job'; id: string };
}

/** The name of the actor, if known. */
export function doerOf({ actor: { type, id } }: Done, names: ReadonlyMap<string, string>): string {
  const name = names.get(id);
  if (type === 'member') return name ?? 'A member';
  if (type === 'key') return name === undefined ? 'An API key' : `The API key ${name}`;
  return type === 'operator' ? 'The operator of Roster' : `Roster, by itself (${id})`;
}
