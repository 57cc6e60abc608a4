import { type ComponentChildren, createContext } from 'preact';
import { useLocation } from 'preact-iso';
import { useContext, useEffect, useLayoutEffect } from 'preact/hooks';

import { call, requests } from './api.ts';
import { forgetDrafts } from './drafts.ts';
import { forgetAnswers, prefetch, useQuery } from './query.ts';
import type { Session } from './types.ts';
import { Failed } from './ui/failed.tsx';
import { Shell } from './ui/loading.tsx';
import { clearToasts } from './ui/toast.tsx';

interface Known extends Session {
  /** Whether the roles of the member allow it: a scope of /v2, `administration` or `ownership`. */
  can: (right: string) => boolean;
}

const Context = createContext<Known | undefined>(undefined);

const returnKey = 'roster.return';

const load = (signal: AbortSignal) => call<Session>('GET', '/session', {}, { signal });

/** Asks before the page is drawn. */
export const askSession = () => prefetch(['session'], load);

export function SessionProvider({ children }: { children: ComponentChildren }) {
  const { route } = useLocation();
  const { data, error, reload } = useQuery(['session'], load);
  // Before the answer to a question that was asked before.
  useLayoutEffect(
    () =>
      requests.listen(({ status }) => {
        if (status !== 401) return;
        sessionStorage.setItem(returnKey, location.pathname + location.search);
        route('/sign-in', true);
      }),
    [route],
  );
  useEffect(keepPeopleUnseen, []);
  if (data) {
    const known = { ...data, can: (right: string) => data.rights.some((one) => one === right) };
    return <Context.Provider value={known}>{children}</Context.Provider>;
  }
  if (error) return <Failed error={error} retry={reload} isWhole />;
  return <Shell />;
}

const reloadKept = (event: PageTransitionEvent) => {
  if (event.persisted) location.reload();
};

/** The next member, or a press of Back, must not show people from the previous session. */
function keepPeopleUnseen(): () => void {
  addEventListener('pageshow', reloadKept);
  return () => {
    removeEventListener('pageshow', reloadKept);
    clearToasts();
    forgetDrafts();
    forgetAnswers();
  };
}

export function useSession(): Known {
  const known = useContext(Context);
  if (known) return known;
  throw new Error('A screen asked for the session outside of SessionProvider');
}

/** Where somebody was when the session ended, or the first screen. */
export function takeReturnPath(): string {
  const path = sessionStorage.getItem(returnKey);
  sessionStorage.removeItem(returnKey);
  return path?.startsWith('/console') === true ? path : '/console';
}
