import { call, roster } from './api.ts';
import { type Loaded, useQuery } from './query.ts';
import { useSession } from './session.tsx';
import type { Event, Key, Member } from './types.ts';
import { useChatbots } from './use-chatbots.ts';

/** The command line lists more. */
const membersMax = 1_000;

/** The keys of the project, oldest first; none for those who may not see them. */
export function useApiKeys(): Loaded<Key[]> {
  const { can } = useSession();
  return useQuery(['keys'], async (signal) =>
    can('administration') ? (await call<{ keys: Key[] }>('GET', '/keys', {}, { signal })).keys : [],
  );
}

/** The members of the project; none for those who may not see them. */
export function useMembers(): Loaded<Member[]> {
  const { can } = useSession();
  return useQuery(['members'], async (signal) => {
    const members: Member[] = [];
    if (!can('members:read')) return members;
    const include = ['id', 'invited_at', 'joined_at'] as const;
    for await (const member of roster.listMembers({ per_page: 100, include }, { signal })) {
      if (members.push(member as Member) === membersMax) break;
    }
    return members;
  });
}

/** By their ids, as far as the roles show them. */
export type Names = Record<'members' | 'keys' | 'chatbots', ReadonlyMap<string, string>>;

const named = (all: readonly { id: string; name: string }[]) => new Map(all.map(({ id, name }) => [id, name]));

/** How members, keys and chatbots are called. */
export function useNames(): Names {
  const { data: keys = [] } = useApiKeys();
  const { data: members = [] } = useMembers();
  const { data: chatbots = [] } = useChatbots();
  return {
    members: new Map(members.map(({ id, email }) => [id, email])),
    keys: named(keys),
    chatbots: named(chatbots),
  };
}

/** The name of the actor, if known. */
export function doerOf({ actor: { type, id } }: Pick<Event, 'actor'>, { members, keys }: Names): string {
  if (type === 'member') return members.get(id) ?? (members.size === 0 ? 'A member' : 'A former member');
  if (type === 'key') return keys.get(id) ?? 'A key';
  if (type === 'job') return 'Roster';
  const user = id.replace(/^cli:?/, '');
  return user === '' ? 'Command line' : `${user} (command line)`;
}
