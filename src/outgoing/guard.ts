import { addAbortListener } from 'node:events';
import { isIP } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

import { targetIn } from '../values/target.ts';
import type { UrlRefusal } from '../webhooks/outgoing.ts';
import { isNear, isPublic, plainAddress } from './addresses.ts';

/** The addresses of a host; none where it has none. `isNamed`: the operator names this host. */
export type Lookup = (host: string, isNamed: boolean) => Promise<readonly string[]>;

export interface Checked {
  url: string;
  addresses: readonly string[];
}

/** `allow`: targets that are open besides public ones by https. Throws for malformed ones. */
export function openGuard(allow: readonly string[], lookup: Lookup) {
  const targets = allow.map((text) => {
    const target = targetIn(text);
    if (target === undefined) throw new Error('no target');
    return target;
  });
  const isHeld = (place: string, port: number, isHost: boolean) =>
    targets.some((target) => target.isHost === isHost && target.holds(place, port));

  /** Looks the name up once, for `limitMs` at most. Throws the signal's reason. */
  return async (text: string, limitMs: number, signal: AbortSignal): Promise<Checked | UrlRefusal> => {
    signal.throwIfAborted();
    const url = URL.parse(text);
    if (url === null) return 'malformed';
    if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'scheme';
    if (url.username + url.password !== '') return 'user_in_url';
    const asked = url.hostname;
    // Targets and certificates name a host without its final dot. Without it, a name may turn out to be an address.
    url.hostname = asked.replace(/\.+$/, '');
    const host = url.hostname.replaceAll(/^\[|\]$/g, '');
    const isEncrypted = url.protocol === 'https:';
    const port = Number(url.port === '' ? (isEncrypted ? 443 : 80) : url.port);
    const isNamed = isHeld(host, port, true);
    const isOpen = (address: string) => {
      const plain = plainAddress(address);
      if (plain === undefined) return false;
      return isHeld(plain, port, false) || (isNamed && !isNear(plain)) || (isEncrypted && isPublic(plain));
    };
    const addresses = addressWithoutLookup(host) ?? (await within(lookup(asked, isNamed), limitMs, signal));
    if (addresses.length === 0) return 'unresolved';
    if (!addresses.every(isOpen)) return isEncrypted ? 'forbidden_address' : 'scheme';
    return { url: url.href, addresses };
  };
}

function addressWithoutLookup(host: string): string[] | undefined {
  if (isIP(host) !== 0) return [host];
  return /(^|\.)localhost$/.test(host) ? ['127.0.0.1'] : undefined;
}

async function within(found: ReturnType<Lookup>, limitMs: number, signal: AbortSignal): Promise<readonly string[]> {
  const ended = new AbortController();
  using _ = addAbortListener(signal, () => ended.abort());
  try {
    return await Promise.race([found, pause(limitMs, [], { signal: ended.signal })]);
  } catch {
    signal.throwIfAborted();
    return [];
  } finally {
    ended.abort();
  }
}
