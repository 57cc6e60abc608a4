import { useLayoutEffect, useState } from 'preact/hooks';

const paths = new Set(['/sign-in', '/join', '/setup']);

// At once when the page comes, before anything else is loaded.
let held = take();

/** The token of a link, which is taken out of the address, so that it stays in no history; and how to forget it. */
export function useLinkToken(): readonly [token: string, forget: () => void] {
  const [token, setToken] = useState(() => {
    const first = held || take();
    held = '';
    return first;
  });
  // No later than the page is there: a link that came before the listener would stay in the address.
  useLayoutEffect(() => {
    // The same page may be open when somebody follows another link.
    const takeNext = () => {
      const next = take();
      if (next !== '') setToken(next);
    };
    addEventListener('hashchange', takeNext);
    return () => removeEventListener('hashchange', takeNext);
  }, []);
  return [token, () => setToken('')];
}

function take(): string {
  if (!paths.has(location.pathname)) return '';
  const token = location.hash.slice(1);
  if (token !== '') history.replaceState(null, '', location.pathname);
  return token;
}
