import { useEffect } from 'preact/hooks';

import { ButtonLink, IconButton } from '../../ui/button.tsx';
import { useKeys } from '../../ui/keys.ts';
import type { PeopleList } from '../contacts/list.ts';
import type { Person } from '../contacts/person.ts';
import { addressOf, contactAddress, noFilters } from '../contacts/view.ts';
import { neighboursOf } from './held.ts';

interface NeighboursProps {
  chatbotId: string;
  contactId: string;
  list: PeopleList;
  route: (address: string) => void;
}

/** Back to the list, and on to whoever comes before or after in it. */
export function Neighbours({ chatbotId, contactId, list, route }: NeighboursProps) {
  const near = neighboursOf(list, chatbotId, contactId);
  const back = addressOf(list.view ?? noFilters);
  const place = near?.place ?? -1;
  const loaded = list.rows.length;
  const { value, isExact } = (!list.isStale && list.total) || { value: loaded, isExact: !list.hasMore };
  useEffect(() => {
    if (place === -1) return;
    list.active = place;
    list.lookAhead(place);
  }, [list, place, list.rows]);
  const go = (person: Person | undefined) => {
    if (person) route(contactAddress(person.chatbot_id, person.id));
  };
  useKeys([
    { keys: 'k', label: 'The contact before', run: () => go(near?.before) },
    { keys: 'j', label: 'The next contact', run: () => go(near?.after) },
    { keys: 'Escape', label: 'Back to the list', run: () => route(back) },
  ]);
  return (
    <nav class="contact-nav row" aria-label="List">
      <ButtonLink kind="quiet" icon="left" href={back}>
        {list.view?.isBin === true && near ? 'Bin' : 'Contacts'}
      </ButtonLink>
      {near && (
        <div class="row">
          <span class="soft small number">
            {(near.place + 1).toLocaleString()} of {Math.max(value, loaded).toLocaleString()}
            {!isExact && '+'}
          </span>
          <IconButton icon="left" label="The contact before" disabled={!near.before} onClick={() => go(near.before)} />
          <IconButton icon="right" label="The next contact" disabled={!near.after} onClick={() => go(near.after)} />
        </div>
      )}
    </nav>
  );
}
