import type { Duplicates } from '@roster/client';

import { roster } from '../../api.ts';
import { labelOf } from '../contact/fields.ts';

export type Groups = Awaited<ReturnType<typeof findGroups>>;
export type Group = Groups['groups'][number];

const bands = ['certain', 'likely'] as const;
const limit = 25;
/** So many chatbots are asked at once. */
const sideBySide = 4;

/** The first groups: the certain ones of all chatbots, then the likely ones. Asks hardly further than it needs. */
export async function findGroups(chatbotIds: readonly string[], most: number, signal: AbortSignal) {
  const places = bands.flatMap((band) => chatbotIds.map((chatbotId) => ({ chatbotId, band, limit })));
  const groups = new Map<string, Duplicates & { key: string; chatbotId: string }>();
  /** Whether all contacts were compared. */
  let isReady = true;
  for (let from = 0; from < places.length; from += sideBySide) {
    const walks = places.slice(from, from + sideBySide).map((place) => {
      const pages = roster.findDuplicates(place, { signal }).pages();
      return { chatbotId: place.chatbotId, pages, first: pages.next() };
    });
    await Promise.all(walks.map(({ first }) => first));
    for (const { chatbotId, pages, first } of walks) {
      for (let next = await first; next.done !== true; next = await pages.next()) {
        isReady &&= next.value.as_of !== '0';
        for (const group of next.value.groups) {
          const key = [chatbotId, ...group.contacts.map(({ id }) => id)].join(' ');
          if (!groups.has(key)) groups.set(key, { ...group, key, chatbotId });
        }
        if (groups.size > most) return { groups: [...groups.values()].slice(0, most), hasMore: true, isReady };
      }
    }
  }
  return { groups: [...groups.values()], hasMore: false, isReady };
}

export function reasonsOf({ reasons }: Duplicates): string {
  const words = reasons.map(({ field, match }) => {
    if (match === 'one_side') return 'Only one has a name';
    return `Same ${field === 'email_domain' ? 'e-mail domain' : labelOf(field).toLowerCase()}`;
  });
  return words.join(' · ');
}
