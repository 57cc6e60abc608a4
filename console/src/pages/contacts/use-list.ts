import { useLocation } from 'preact-iso';

import { useObserved } from '../../observed.ts';
import { oldElsewhere } from '../../query.ts';
import { PeopleList } from './list.ts';
import { keyOf, type Place } from './person.ts';
import { addressOf, type Filters, type View } from './view.ts';

let kept = { of: '', list: new PeopleList() };

/** The list of this sign-in; somebody else who signs in on the same page begins with an empty one. */
export function listOf(sessionId: string): PeopleList {
  // What the page began with is of whoever is signed in.
  if (kept.of === '' && !kept.list.error) kept.of = sessionId;
  if (kept.of !== sessionId) kept = { of: sessionId, list: new PeopleList() };
  return kept.list;
}

/** Asks for the people of an address before anybody knows who asks. */
export function beginList(filters: Filters): void {
  if (kept.of === '') kept.list.follow(filters);
}

oldElsewhere.listen((isOld) => {
  if (isOld('contacts')) kept.list.grewOld();
});

/** After a change that other pages make: these people are gone, and others may differ. */
export function changeList(gone: readonly Place[] = []): void {
  kept.list.remove(new Set(gone.map(keyOf)));
  kept.list.grewOld();
}

/** The same, shown anew with each change. */
export function useList(sessionId: string): PeopleList {
  return useObserved(listOf(sessionId));
}

/** Shows another view; the address follows as far as it may. */
export function useFilter(list: PeopleList): (next: Partial<View>) => void {
  const { url, route } = useLocation();
  return (next) => {
    list.show({ ...list.view, ...next });
    const address = addressOf(list.view);
    if (address !== url) route(address, true);
  };
}
