import type { ComponentType } from 'preact';
import { lazy } from 'preact-iso';

import { call, RosterConnectionError } from './api.ts';
import { useQuery } from './query.ts';
import { NotLoaded } from './ui/failed.tsx';

type Load = () => Promise<ComponentType>;

/**
 * A screen whose script loads when it is first shown. If that fails, the page stays and loads the screen again:
 * an unreachable server must not lose the page.
 */
export function screen(load: Load) {
  return lazy(() => load().catch(() => loadedAgain(load)));
}

function loadedAgain(load: Load): ComponentType {
  return function LoadedAgain() {
    const { data, error, reload } = useQuery(['script', String(load)], async (signal) => {
      const Screen = await load().catch(() => reloadIfReachable(signal));
      return { Screen };
    });
    if (data) return <data.Screen />;
    return <NotLoaded error={error} retry={reload} />;
  };
}

const key = 'roster.reloaded';
const momentMs = 10_000;

/**
 * Throws if the server is unreachable. If it answers, an upgrade renamed the scripts or the browser remembers
 * the failure: reloads the shell, but not too often.
 */
async function reloadIfReachable(signal: AbortSignal): Promise<never> {
  await call('GET', '/session', {}, { signal });
  if (Date.now() - Number(sessionStorage.getItem(key)) > momentMs) {
    sessionStorage.setItem(key, String(Date.now()));
    location.reload();
  }
  throw new RosterConnectionError('the script did not load');
}
