import { useEffect } from 'preact/hooks';

import { call, roster } from '../../api.ts';
import { pause } from '../../patience.ts';
import { type Loaded, useQuery } from '../../query.ts';
import type { ListEventsResult } from '../../types.ts';

const waitSeconds = 20;
const retryMs = 5_000;

/** The latest events, oldest first; others that come while it is shown join them. */
export function useFeed(): Loaded<ListEventsResult> {
  const feed = useQuery(['activity', 'recent'], (signal) =>
    call<ListEventsResult>('GET', '/events/recent', { limit: 50 }, { signal }),
  );
  const from = feed.data?.next_cursor;
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const follow = async () => {
      for (let after = from; after && !signal.aborted;) {
        const page = await roster.listEvents({ after, wait: waitSeconds }, { signal }).catch(() => undefined);
        if (page && page.events.length > 0) feed.reload();
        if (!page) await pause(retryMs, signal).catch(() => undefined);
        after = page?.next_cursor ?? after;
      }
    };
    void follow();
    return () => stop.abort();
  }, [from, feed.reload]);
  return feed;
}
