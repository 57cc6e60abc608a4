import { useEffect, useState } from 'preact/hooks';

/** The token of a link, which is taken out of the address at once, so that it stays in no history. */
export function useLinkToken(): string {
  const [token, setToken] = useState(take);
  useEffect(() => {
    // The same page may be open when somebody follows another link.
    const takeNext = () => {
      const next = take();
      if (next !== '') setToken(next);
    };
    addEventListener('hashchange', takeNext);
    return () => removeEventListener('hashchange', takeNext);
  }, []);
  return token;
}

function take(): string {
  const token = location.hash.slice(1);
  if (token !== '') history.replaceState(null, '', location.pathname);
  return token;
}
