import { useEffect, useRef } from 'preact/hooks';

import { call, codeOf, roster } from '../../api.ts';
import { patiently, pause } from '../../patience.ts';
import { type Loaded, useQuery } from '../../query.ts';
import type { Event } from '../../types.ts';
import { type Action, Cancelled, useAction } from '../../use-action.ts';
import { addressOf, dayAgo, filterOf, isOfTab, type View } from './view.ts';

export interface Shown {
  /** Newest first. */
  events: readonly Event[];
  /** Where earlier ones are; null at the first. */
  next_cursor: string | null;
  /** Where to wait for later ones. */
  newer_cursor: string;
}

const limit = 100;
const waitSeconds = 20;
const retryMs = 5_000;

export async function pageOf(view: View, after: string, signal?: AbortSignal): Promise<Shown> {
  const input = { ...filterOf(view), after, limit };
  const page = await patiently(() => call<Shown>('GET', '/activity', input, { signal }), { signal });
  return { ...page, events: page.events.filter((event) => isOfTab(event, view)) };
}

/** What the view shows, with what happens meanwhile. `older` adds the page before. */
export function useActivity(view: View): Loaded<Shown> & { older: Action<[]> } {
  const key = addressOf(view);
  const latest = useRef<Shown | undefined>(undefined);
  const feed = useQuery<Shown>(['activity', key], async (signal) => {
    const page = await pageOf(view, '*', signal);
    return latest.current ? joined(latest.current, page) : page;
  });
  latest.current = feed.data;
  const after = feed.data?.newer_cursor;
  useEffect(() => {
    const isOver = view.until !== '' && view.until < dayAgo(0);
    if (after === undefined || isOver) return;
    const stop = new AbortController();
    void newsOf(view, after, stop.signal).then(feed.reload, () => undefined);
    return () => stop.abort();
  }, [key, after]);
  const older = useAction(async () => {
    const { next_cursor: next } = feed.data ?? {};
    const page = await pageOf(view, next ?? '*');
    const { current: now } = latest;
    // Another view is shown, or this one has gone on.
    if (now === undefined || now.next_cursor !== next) throw new Cancelled();
    feed.set({ ...now, events: [...now.events, ...page.events], next_cursor: page.next_cursor });
  });
  return { ...feed, older };
}

/** The newest page before what is shown, if they meet. */
function joined(shown: Shown, page: Shown): Shown {
  const last = BigInt(shown.events[0]?.sequence ?? 0);
  const news = page.events.filter((event) => BigInt(event.sequence) > last);
  if (news.length === page.events.length && page.next_cursor !== null) return page;
  return { ...shown, newer_cursor: page.newer_cursor, events: [...news, ...shown.events] };
}

/** Settles when something has happened after the cursor. Rejects once the signal stops it. */
async function newsOf(view: View, after: string, signal: AbortSignal): Promise<void> {
  for (let next = after; ;) {
    try {
      const input = { ...filterOf(view), after: next, limit: 1, wait: waitSeconds };
      const page = await roster.listEvents(input, { signal });
      if (page.events.length > 0) return;
      next = page.next_cursor ?? next;
    } catch (error) {
      if (codeOf(error) === 'cursor_expired') return;
    }
    // Where too many wait already, the answer comes at once. Nobody is at a hidden tab: asking would keep them signed in.
    do await pause(retryMs, signal);
    while (document.hidden);
  }
}
