import './duplicates.css';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

import { useQuery } from '../../query.ts';
import { useSession } from '../../session.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { NotLoaded } from '../../ui/failed.tsx';
import { useKeys } from '../../ui/keys.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { useChatbots } from '../../use-chatbots.ts';
import { titleOf } from '../contacts/person.ts';
import { Compare } from './compare.tsx';
import { findGroups, type Groups, reasonsOf } from './groups.ts';

const step = 25;

/** Contacts who may be one person, to be merged or told apart. */
export function Duplicates() {
  const { can } = useSession();
  const { data: chatbots, error } = useChatbots();
  const [only, setOnly] = useState('');
  const ids = chatbots?.map(({ id }) => id).filter((id) => only === '' || id === only);
  const [most, setMost] = useState(step);
  const found = useQuery(
    ['duplicates', String(most), ...(ids ?? [])],
    async (signal) => ids && findGroups(ids, most, signal),
  );
  // The groups before stay until more have come.
  const shown = useRef(found.data);
  shown.current = found.data ?? shown.current;
  return (
    <>
      <PageHead
        title="Duplicates"
        about={`Contacts of one chatbot who may be the same person.${can('contacts:write') ? '' : ' An Analyst can merge them.'}`}
      >
        {chatbots && chatbots.length > 1 && (
          <select
            class={only === '' ? 'chip' : 'chip is-on'}
            aria-label="Chatbot"
            value={only}
            onChange={(event) => {
              shown.current = undefined;
              setOnly(event.currentTarget.value);
            }}
          >
            {[{ id: '', name: 'All chatbots' }, ...chatbots].map(({ id, name }) => (
              <option value={id}>{name}</option>
            ))}
          </select>
        )}
      </PageHead>
      {shown.current ? (
        <List {...shown.current} more={() => setMost(most + step)} />
      ) : (
        <NotLoaded error={error ?? found.error} retry={found.reload} />
      )}
    </>
  );
}

function List({ groups, hasMore, isReady, more }: Groups & { more: () => void }) {
  const { data: chatbots = [] } = useChatbots();
  const [open, setOpen] = useState<string>();
  const list = useRef<HTMLOListElement>(null);
  const found = groups.findIndex(({ key }) => key === open);
  const at = Math.max(0, found);
  const go = (to: number) => setOpen(groups[to]?.key ?? open);
  useLayoutEffect(() => {
    if (open !== undefined) list.current?.querySelector<HTMLElement>('.group-head[aria-expanded=true]')?.focus();
  }, [open]);
  useKeys([
    { keys: 'j', label: 'The next group', run: () => go(at + 1) },
    { keys: 'k', label: 'The group before', run: () => go(at - 1) },
  ]);
  if (groups.length === 0) {
    return (
      <Empty icon="duplicates" title={isReady ? 'No duplicates' : 'Roster is still comparing'}>
        <p>{isReady ? 'Nobody seems to be here twice.' : 'Look again in a minute.'}</p>
      </Empty>
    );
  }
  return (
    <>
      <ol class="cards groups" ref={list}>
        {groups.map((group, place) => (
          <li key={group.key} class="card card-flush">
            <button
              type="button"
              class="item spread group-head"
              aria-expanded={place === at}
              onClick={() => go(place)}
              onKeyDown={(event) => {
                const to = { ArrowDown: place + 1, ArrowUp: place - 1 }[event.key];
                if (to === undefined) return;
                event.preventDefault();
                go(to);
              }}
            >
              <span class="item-text">
                <strong>{distinct(group.contacts.map((one) => titleOf(one)))}</strong>
                <span class="soft small">{distinct(group.contacts.map(({ email }) => email))}</span>
                <span class="soft small">
                  {reasonsOf(group)} · <bdi>{chatbots.find(({ id }) => id === group.chatbotId)?.name}</bdi>
                </span>
              </span>
              {group.band === 'certain' ? <Badge tone="good">Certain</Badge> : <Badge tone="warn">Likely</Badge>}
            </button>
            {place === at && <Compare group={group} onSettled={() => go(at + 1)} />}
          </li>
        ))}
      </ol>
      {hasMore && <Button onClick={more}>Show more</Button>}
    </>
  );
}

function distinct(texts: readonly (string | null)[]): string {
  return [...new Set(texts)].filter((text) => text !== null).join(', ');
}
