import { useLocation } from 'preact-iso';
import { useEffect } from 'preact/hooks';

import { ButtonLink, IconButton } from '../../ui/button.tsx';
import { useKeys } from '../../ui/keys.ts';
import type { Person } from '../contacts/person.ts';
import { addressOf, contactAddress } from '../contacts/view.ts';
import type { Sheet } from './held.ts';

/** Back to the list from which the member came, and on to whoever comes before or after in it. */
export function Neighbours({ chatbotId, person, list }: Sheet) {
  const { route } = useLocation();
  const back = addressOf(list.view);
  const place = list.rows.findIndex((one) => one.id === person.id && one.chatbot_id === chatbotId);
  const isListed = place !== -1;
  const before = list.rows[place - 1];
  const after = isListed ? list.rows[place + 1] : undefined;
  const loaded = list.rows.length;
  const { value, isExact } = (!list.isStale && list.total) || { value: loaded, isExact: !list.hasMore };
  useEffect(() => {
    if (!isListed) return;
    list.active = place;
    list.lookAhead(place);
  }, [list, place, list.rows]);
  const go = (to: Person | undefined) => {
    if (to) route(contactAddress(to.chatbot_id, to.id));
  };
  useKeys([
    { keys: 'k', label: 'Previous contact', run: () => go(before) },
    { keys: 'j', label: 'Next contact', run: () => go(after) },
    { keys: 'Escape', label: 'Back to the list', run: () => route(back) },
  ]);
  return (
    <nav class="contact-nav spread" aria-label="List">
      <ButtonLink kind="quiet" icon="left" href={back}>
        {list.view.isBin && isListed ? 'Bin' : 'Contacts'}
      </ButtonLink>
      {isListed && (
        <div class="row">
          <span class="soft small number">
            {(place + 1).toLocaleString()} of {Math.max(value, loaded).toLocaleString()}
            {!isExact && '+'}
          </span>
          <IconButton icon="left" label="Previous contact" disabled={!before} onClick={() => go(before)} />
          <IconButton icon="right" label="Next contact" disabled={!after} onClick={() => go(after)} />
        </div>
      )}
    </nav>
  );
}
