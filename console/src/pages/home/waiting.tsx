import type { ComponentChildren } from 'preact';

import { roster } from '../../api.ts';
import { screens } from '../../layout/screens.ts';
import { useApiKeys } from '../../names.ts';
import { useQuery } from '../../query.ts';
import { useSession } from '../../session.tsx';
import type { Chatbot, Key, Member } from '../../types.ts';
import { Card, Item } from '../../ui/card.tsx';
import { NotLoaded } from '../../ui/failed.tsx';
import { Time } from '../../ui/time.tsx';
import { number } from '../../usage.ts';
import { stateOf } from '../keys/state.ts';
import { State } from '../webhooks/state.tsx';
import { nameOf } from '../webhooks/words.ts';

const soonMs = 30 * 86_400_000;
const chatbotsMax = 12;
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
  const duplicates = useDuplicates(chatbots);
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
  const shown = [
    ...duplicates.data.map(({ chatbot: { id, name }, count }) => (
      <Thing key={id} href={`${duplicatesPath}?chatbot=${encodeURIComponent(id)}`} title={`Duplicates in ${name}`}>
        {count < groupsMax ? number(count) : `${number(count)} or more`} {count === 1 ? 'group waits' : 'groups wait'}
      </Thing>
    )),
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
  ];
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

const duplicatesPath = '/console/duplicates';

/** How many groups there are in each of the newest chatbots that have any. */
function useDuplicates(chatbots: readonly Chatbot[]) {
  const { can } = useSession();
  const right = screens.find(({ path }) => path === duplicatesPath)?.right;
  const looked = right !== undefined && can(right) ? chatbots.slice(0, chatbotsMax) : [];
  return useQuery(['duplicates', 'counts', ...looked.map(({ id }) => id)], async (signal) => {
    const counted = looked.map(async (chatbot) => {
      const found = await roster.findDuplicates({ chatbotId: chatbot.id, limit: groupsMax }, { signal });
      return { chatbot, count: found.groups.length };
    });
    return (await Promise.all(counted)).filter(({ count }) => count > 0);
  });
}
