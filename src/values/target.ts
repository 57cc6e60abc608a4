import { isIP } from 'node:net';

import { withinCidrs } from './cidr.ts';

export interface Target {
  isHost: boolean;
  /** Takes a host in lower case, or an address. */
  holds: (place: string, port: number) => boolean;
}

/** Reads `10.0.0.0/8`, `[fd00::/8]:443`, `n8n.internal:5678` and the like; undefined for anything else. */
export function targetIn(text: string): Target | undefined {
  const isBareIPv6 = isIP(text.replace(/\/\d+$/, '')) === 6;
  const pattern = /^(?:\[([\da-f:.]+(?:\/\d+)?)\]|([^:[\]]+))(?::([1-9]\d{0,4}))?$/i;
  const [, inBrackets, plain, portText] = isBareIPv6 ? ['', text] : (pattern.exec(text) ?? []);
  const place = (inBrackets ?? plain ?? '').toLowerCase();
  const port = Number(portText ?? 0);
  if (port > 65_535 || (inBrackets !== undefined && !place.includes(':'))) return undefined;
  const isHost = !place.includes(':') && !/^[\d./]+$/.test(place);
  const holds = isHost ? holdsHost(place) : holdsAddress(place);
  return holds && { isHost, holds: (one, at) => (port === 0 || port === at) && holds(one) };
}

function holdsHost(host: string): ((one: string) => boolean) | undefined {
  const isName = /^[\w.-]*[\w-]$/.test(host) && URL.parse(`http://${host}`)?.hostname === host;
  return isName ? (one) => one === host : undefined;
}

function holdsAddress(cidr: string): ((one: string) => boolean) | undefined {
  try {
    const holds = withinCidrs([cidr]);
    return (one) => isIP(one) !== 0 && holds(one);
  } catch {
    return undefined;
  }
}
