import { describe, expect, it } from 'vitest';

import { networkOf } from '../../src/http/client-address.ts';
import { openApp } from '../support/app.ts';

describe('an address that is refused', () => {
  it('is counted with all of its /64 when it is IPv6', async () => {
    await using server = await openApp({ rateLimit: 1_000 });
    const from = async (remoteAddress: string) => (await server.ask({ url: '/v2/members', remoteAddress })).status;
    for (let i = 1; i <= 60; i++) expect(await from(`2001:db8:0:7:${i.toString(16)}::${i}`)).toBe(401);
    expect(await from('2001:db8::7:ffff:ffff:ffff:ffff')).toBe(429);
    expect(await from('2001:db8:0:8::1')).toBe(401);
  });

  it('is counted as IPv4 when it is mapped into IPv6', async () => {
    await using server = await openApp({ rateLimit: 1_000 });
    const from = async (remoteAddress: string) => (await server.ask({ url: '/v2/members', remoteAddress })).status;
    for (let i = 0; i < 30; i++) {
      expect([await from('192.0.2.7'), await from('::ffff:192.0.2.7')]).toEqual([401, 401]);
    }
    expect(await from('::ffff:c000:207')).toBe(429);
    expect(await from('::ffff:192.0.2.8')).toBe(401);
  });

  it('has one name in every way to write it, and stays what it is where it is none', () => {
    for (const [address, network] of [
      ['192.0.2.7', '192.0.2.7'],
      ['::1', '0:0:0:0::/64'],
      ['2001:DB8:0:7:1:2:3:4', '2001:db8:0:7::/64'],
      ['2001:db8::7:1:2:3:4', '2001:db8:0:7::/64'],
      ['2001:0db8:0000:0007::', '2001:db8:0:7::/64'],
      ['2001:db8:1::', '2001:db8:1:0::/64'],
      ['fe80::1%eth0', 'fe80:0:0:0::/64'],
      ['::ffff:0:1.2.3.4', '0:0:0:0::/64'],
      ['unknown', 'unknown'],
      ['', ''],
    ] as const) {
      expect([address, networkOf(address)]).toEqual([address, network]);
    }
  });
});
