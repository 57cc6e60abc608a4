import { call } from '../../api.ts';
import type { Event } from '../../types.ts';

export interface History {
  /** Newest first. */
  events: readonly Event[];
  /** Where to look further; null once all events were looked through. */
  before: string | null;
}

export function historyOf(
  whose: { chatbotId: string; contactId: string },
  before: string | undefined,
  signal?: AbortSignal,
): Promise<History> {
  return call('GET', '/chatbots/{chatbotId}/contacts/{contactId}/events', { ...whose, before }, { signal });
}

const deeds: Partial<Record<string, string>> = {
  'contact.created': 'Created',
  'contact.updated': 'Changed',
  'contact.deleted': 'Put into the bin',
  'contact.restored': 'Restored from the bin',
  'contact.purged': 'Deleted for good',
  'contact.merged': 'Merged',
  'contact.unmerged': 'Merge undone',
};

export function deedOf({ type, changed }: Event): string {
  const deed = deeds[type] ?? type;
  return changed && changed.length > 0
    ? `${deed} ${changed.map((name) => name.replaceAll('_', ' ')).join(', ')}`
    : deed;
}
