import type { Store } from '../store.ts';
import { unavailable } from './errors.ts';
import type { Endpoint } from './router.ts';

/** `/livez` (the process answers) and `/readyz` (it can serve: store, schema, not stopping). Without a key. */
export function healthPages(store: Pick<Store, 'ready'>, isStopping: () => boolean): Endpoint[] {
  let asked: Promise<void> | undefined;
  // Probes are never shed, so those that come together share one question to the store.
  const ready = () => (asked ??= store.ready().finally(() => (asked = undefined)));
  return [
    { path: '/livez', serve: async (exchange) => exchange.sendData(200, { live: true }) },
    {
      path: '/readyz',
      serve: async (exchange) => {
        if (isStopping()) throw unavailable();
        await ready();
        exchange.sendData(200, { ready: true });
      },
    },
  ];
}
