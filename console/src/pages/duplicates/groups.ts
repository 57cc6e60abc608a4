import type { Duplicates } from '@roster/client';

import { roster } from '../../api.ts';
import { labelOf } from '../contact/fields.ts';

export interface Group extends Duplicates {
  key: string;
  chatbotId: string;
}

export interface Groups {
  groups: readonly Group[];
  hasMore: boolean;
  /** Whether all contacts were compared. */
  isReady: boolean;
}

const bands = ['certain', 'likely'] as const;
const groupsOfPage = 25;
/** So many chatbots are asked at once. */
const sideBySide = 4;

/** The first groups: the certain ones of all chatbots, then the likely ones. Asks no further than it needs. */
export async function findGroups(chatbotIds: readonly string[], most: number, signal: AbortSignal): Promise<Groups> {
  const places = bands.flatMap((band) => chatbotIds.map((chatbotId) => ({ chatbotId, band })));
  const pageOf = async (place: (typeof places)[number], cursor: string) =>
    roster.findDuplicates({ ...place, limit: groupsOfPage, cursor }, { signal });
  const first: ReturnType<typeof pageOf>[] = [];
  const groups: Group[] = [];
  let isReady = true;
  for (const [at, place] of places.entries()) {
    for (const next of places.slice(first.length, at + sideBySide)) {
      const asked = pageOf(next, '*');
      // Nobody may wait for it in the end.
      asked.catch(() => undefined);
      first.push(asked);
    }
    for (let page = await first[at]; page;) {
      isReady &&= page.as_of !== '0';
      for (const group of page.groups) {
        const { chatbotId } = place;
        const key = [chatbotId, ...group.contacts.map(({ id }) => id)].join(' ');
        if (!groups.some((one) => one.key === key)) groups.push(Object.assign(group, { key, chatbotId }));
      }
      if (groups.length > most) return { groups: groups.slice(0, most), hasMore: true, isReady };
      page = page.next_cursor === null ? undefined : await pageOf(place, page.next_cursor);
    }
  }
  return { groups, hasMore: false, isReady };
}

export function reasonsOf({ reasons }: Duplicates): string {
  const words = reasons.map(({ field, match }) => {
    if (match === 'one_side') return 'Only one has a name';
    return `Same ${field === 'email_domain' ? 'e-mail domain' : labelOf(field).toLowerCase()}`;
  });
  return words.join(' · ');
}
