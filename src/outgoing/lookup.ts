import * as dns from 'node:dns/promises';

import type { Lookup } from './guard.ts';

/**
 * Asks the name servers; those of the system where none are given. The system's own way, with its file of hosts, is only for names of
 * the operator: it has two threads for the whole process, and a slow name server of one tenant would hold them.
 */
export function openLookup(servers?: readonly string[]): Lookup {
  return async (host, isNamed) => {
    if (isNamed) return (await dns.lookup(host, { all: true })).map(({ address }) => address);
    const resolver = new dns.Resolver({ timeout: 1_500, tries: 2 });
    if (servers !== undefined) resolver.setServers(servers);
    const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  };
}
