import { useEffect, useState } from 'preact/hooks';

import { call, roster } from '../../api.ts';
import type { Event, ListEventsResult } from '../../types.ts';
import { asError } from '../../use-load.ts';

const atFirst = 50;
const shownMax = 500;
const waitSeconds = 20;
const retryMs = 5_000;

/** The latest events, newest first, and those that come while it is shown. */
export function useFeed(): { events: readonly Event[] | undefined; error: Error | undefined } {
  const [events, setEvents] = useState<readonly Event[]>();
  const [error, setError] = useState<Error>();
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const add = (page: ListEventsResult) => {
      setError(undefined);
      setEvents((before = []) => [...page.events.toReversed(), ...before].slice(0, shownMax));
      return page.next_cursor;
    };
    const follow = async () => {
      let after: string | undefined;
      while (!signal.aborted) {
        try {
          const page =
            after === undefined
              ? call<ListEventsResult>('GET', '/events/recent', { limit: atFirst }, { signal })
              : roster.listEvents({ after, limit: 100, wait: waitSeconds }, { signal });
          after = add(await page) ?? after;
        } catch (thrown) {
          if (signal.aborted) return;
          setError(asError(thrown));
          await new Promise((resolve) => setTimeout(resolve, retryMs));
        }
      }
    };
    void follow();
    return () => stop.abort();
  }, []);
  return { events, error };
}
