const key = 'roster.reloaded';
const momentMs = 10_000;

/** After an upgrade the parts of a page have other names: the shell, which knows them, is loaded again, once. */
export function reloadAfterUpgrade(): void {
  addEventListener('vite:preloadError', () => {
    const last = Number(sessionStorage.getItem(key));
    if (Date.now() - last < momentMs) return;
    sessionStorage.setItem(key, String(Date.now()));
    location.reload();
  });
}
