import { useObserved } from '../../observed.ts';
import { onOldElsewhere } from '../../query.ts';
import { PeopleList } from './list.ts';

let kept = { of: '', list: new PeopleList() };

/** The list of this sign-in; somebody else who signs in on the same page begins with an empty one. */
export function listOf(sessionId: string): PeopleList {
  if (kept.of !== sessionId) kept = { of: sessionId, list: new PeopleList() };
  return kept.list;
}

onOldElsewhere((isOld) => {
  if (isOld('contacts')) kept.list.grewOld();
});

/** The same, shown anew with each change. */
export function useList(sessionId: string): PeopleList {
  return useObserved(listOf(sessionId));
}
