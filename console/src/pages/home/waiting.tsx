import type { ComponentChildren } from 'preact';

import { roster } from '../../api.ts';
import { useApiKeys } from '../../names.ts';
import { useQuery } from '../../query.ts';
import { useSession } from '../../session.tsx';
import type { Chatbot, Key, Member } from '../../types.ts';
import { Card, Item } from '../../ui/card.tsx';
import { NotLoaded } from '../../ui/failed.tsx';
import { Time } from '../../ui/time.tsx';
import { number } from '../../usage.ts';
import { findGroups } from '../duplicates/groups.ts';
import { stateOf } from '../keys/state.ts';
import { State } from '../webhooks/state.tsx';
import { nameOf } from '../webhooks/words.ts';

const soonMs = 30 * 86_400_000;
const groupsMax = 25;

/** What somebody should look at: duplicates, webhooks that fail, keys that end soon, open invitations. */
export function Waiting({ chatbots }: { chatbots: readonly Chatbot[] }) {
  const { can } = useSession();
  const keys = useApiKeys();
  const webhooks = useQuery(['webhooks'], async (signal) =>
    can('webhooks:read') ? Array.fromAsync(roster.listWebhooks({ per_page: 100 }, { signal })) : [],
  );
  const invited = useQuery(['members', 'pending'], async (signal) => {
    if (!can('members:read')) return [];
    const include = ['id', 'invited_at', 'joined_at'] as const;
    return (await roster.listMembers({ status: 'Pending', per_page: 100, include }, { signal })).members as Member[];
  });
  const ids = can('contacts:write') ? chatbots.map(({ id }) => id) : [];
  const duplicates = useQuery(['duplicates', 'home', ...ids], (signal) => findGroups(ids, groupsMax, signal));
  const all = [keys, webhooks, invited, duplicates];
  const failed = all.find(({ error }) => error !== undefined);
  const reload = () => all.forEach((one) => one.reload());
  if (!keys.data || !webhooks.data || !invited.data || !duplicates.data) {
    return (
      <Card title="To do">
        <NotLoaded error={failed?.error} retry={reload} />
      </Card>
    );
  }
  const { groups, hasMore } = duplicates.data;
  const shown = [
    groups.length > 0 && (
      <Thing key="duplicates" href="/console/duplicates" title="Duplicates">
        {number(groups.length)} {hasMore && 'or more '}
        {groups.length === 1 ? 'group waits' : 'groups wait'} for a decision
      </Thing>
    ),
    ...webhooks.data
      .filter(({ state }) => state !== 'active')
      .map((one) => (
        <Thing key={one.id} href={`/console/webhooks/${one.id}`} title={nameOf(one)}>
          <State webhook={one} />
        </Thing>
      )),
    ...keys.data.filter(endsSoon).map(({ id, name, expires_at: ends }) => (
      <Thing key={id} href="/console/keys" title={name}>
        The key ends <Time value={ends ?? ''} />
      </Thing>
    )),
    ...invited.data.map(({ id, email, invited_at: at }) => (
      <Thing key={id} href="/console/members" title={email}>
        Invited {at !== null && <Time value={at} />}, not joined yet
      </Thing>
    )),
  ].filter((one) => one !== false);
  return (
    <Card title="To do" isFlush={shown.length > 0}>
      {shown.length === 0 ? <p class="soft">Nothing waits for you.</p> : <ul>{shown}</ul>}
    </Card>
  );
}

function Thing({ href, title, children }: { href: string; title: string; children: ComponentChildren }) {
  return (
    <Item
      title={
        <a href={href}>
          <bdi>{title}</bdi>
        </a>
      }
      about={children}
    />
  );
}

function endsSoon(key: Key): boolean {
  return stateOf(key) === 'active' && key.expires_at !== null && Date.parse(key.expires_at) - Date.now() < soonMs;
}
