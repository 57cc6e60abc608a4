import type { ComponentChildren } from 'preact';

import { useApiKeys, useMembers } from '../../names.ts';
import { useQuery } from '../../query.ts';
import { useSession } from '../../session.tsx';
import type { Chatbot, Key } from '../../types.ts';
import { Card, Item } from '../../ui/card.tsx';
import { NotLoaded } from '../../ui/failed.tsx';
import { Time } from '../../ui/time.tsx';
import { number } from '../../usage.ts';
import { findGroups } from '../duplicates/groups.ts';
import { stateOf } from '../keys/state.ts';
import { useWebhooks } from '../webhooks/webhooks.tsx';
import { nameOf, State } from '../webhooks/words.tsx';

const soonMs = 30 * 86_400_000;
const groupsMax = 25;

/** What somebody should look at: duplicates, webhooks that fail, keys that end soon, open invitations. */
export function Waiting({ chatbots }: { chatbots: readonly Chatbot[] }) {
  const { can } = useSession();
  const keys = useApiKeys();
  const webhooks = useWebhooks();
  const members = useMembers();
  const ids = can('contacts:write') ? chatbots.map(({ id }) => id) : [];
  const duplicates = useQuery(['duplicates', 'home', ...ids], (signal) => findGroups(ids, groupsMax, signal));
  const all = [keys, webhooks, members, duplicates];
  if (!all.every(({ data }) => data)) {
    const failed = all.find(({ error }) => error);
    return (
      <Card title="To do">
        <NotLoaded error={failed?.error} retry={() => failed?.reload()} />
      </Card>
    );
  }
  const { groups = [], hasMore } = duplicates.data ?? {};
  const shown = [
    groups.length > 0 && (
      <Thing key="duplicates" href="/console/duplicates" title="Duplicates">
        {number(groups.length)} {hasMore && 'or more '}
        {groups.length === 1 ? 'group waits' : 'groups wait'} for a decision
      </Thing>
    ),
    ...(webhooks.data ?? [])
      .filter(({ state }) => state !== 'active')
      .map((one) => (
        <Thing key={one.id} href={`/console/webhooks/${one.id}`} title={nameOf(one)}>
          <State webhook={one} />
        </Thing>
      )),
    ...(keys.data ?? []).filter(endsSoon).map(({ id, name, expires_at: ends }) => (
      <Thing key={id} href="/console/keys" title={name}>
        The key ends <Time value={ends ?? ''} />
      </Thing>
    )),
    ...(members.data ?? [])
      .filter(({ status }) => status === 'Pending')
      .map(({ id, email, invited_at: at }) => (
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
  const link = (
    <a href={href}>
      <bdi>{title}</bdi>
    </a>
  );
  return <Item title={link} about={children} />;
}

function endsSoon(key: Key): boolean {
  return stateOf(key) === 'active' && key.expires_at !== null && Date.parse(key.expires_at) - Date.now() < soonMs;
}
