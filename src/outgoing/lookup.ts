import * as dns from 'node:dns/promises';

import type { Lookup } from './guard.ts';

/** Asks these name servers, or those of the system. */
export function openLookup(servers?: readonly string[]): Lookup {
  return async (host, isNamed) => {
    // Reads the hosts file too, but has two threads in all: a tenant's slow name server would hold them.
    if (isNamed) return (await dns.lookup(host, { all: true })).map(({ address }) => address);
    const resolver = new dns.Resolver({ timeout: 1_500, tries: 2 });
    if (servers !== undefined) resolver.setServers(servers);
    const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  };
}
