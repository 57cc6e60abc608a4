import type { Config } from '../config/settings.ts';
import { once } from '../values/once.ts';
import type { Outgoing } from '../webhooks/outgoing.ts';

/** The way outside. Loaded when it is needed, as most commands and services send nothing. */
export function outgoingOf({ webhookAllow }: Pick<Config, 'webhookAllow'>): Outgoing {
  const opened = once(async () => (await import('../outgoing/outgoing.ts')).openOutgoing(webhookAllow));
  return {
    refusalOf: async (url) => (await opened()).refusalOf(url),
    post: async (...given) => (await opened()).post(...given),
  };
}
