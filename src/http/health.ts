import type { Store } from '../store.ts';
import { unavailable } from './errors.ts';
import { bodyOf, type Exchange, type Sender } from './exchange.ts';
import { jsonType } from './headers.ts';
import type { Page } from './router.ts';

/** `/livez` (the process answers) and `/readyz` (it can serve: store, schema, not stopping). Without a key. */
export function healthPages(
  store: Pick<Store, 'ready'>,
  { send }: Pick<Sender, 'send'>,
  isStopping: () => boolean,
): Page[] {
  let asked: Promise<void> | undefined;
  // Probes are never shed, so those that come together share one question to the store.
  const ready = () => (asked ??= store.ready().finally(() => (asked = undefined)));
  const yes = (exchange: Exchange, data: object) =>
    send(exchange, 200, jsonType, bodyOf(JSON.stringify({ status: 'success', data })));
  return [
    { path: '/livez', serve: async (exchange) => yes(exchange, { live: true }) },
    {
      path: '/readyz',
      serve: async (exchange) => {
        if (isStopping()) throw unavailable();
        await ready();
        yes(exchange, { ready: true });
      },
    },
  ];
}
