import { createSocket } from 'node:dgram';
import { once } from 'node:events';

import { describe, expect, it } from 'vitest';

import { openLookup } from '../../src/outgoing/lookup.ts';
import { isLoopback } from '../../src/values/cidr.ts';

const [typeA, typeAAAA] = [1, 28];

/** Answers with one address of each kind, and never where the name begins with `silent`. */
async function aNameServer() {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    // A question of DNS: 12 bytes of header, labels, an empty label, type and class.
    const end = query.indexOf(0, 12) + 5;
    if (query.toString('latin1', 13, 19) === 'silent') return;
    const ofType = {
      [typeA]: '\u00c0\u0000\u0002\u0007',
      [typeAAAA]: `\u0020\u0001\u000d\u00b8${'\0'.repeat(11)}\u0007`,
    };
    const data = Buffer.from(ofType[query.readUInt16BE(end - 4)] ?? '', 'latin1');
    const header = Buffer.concat([query.subarray(0, 2), Buffer.from('81800001000100000000', 'hex')]);
    const answer = Buffer.concat([
      Buffer.from('c00c', 'hex'),
      query.subarray(end - 4, end),
      Buffer.from([0, 0, 0, 0, 0, data.length]),
      data,
    ]);
    socket.send(Buffer.concat([header, query.subarray(12, end), answer]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { server: `127.0.0.1:${socket.address().port}`, [Symbol.dispose]: () => void socket.close() };
}

describe('the look-up of a name', () => {
  it('finds the addresses of both kinds', async () => {
    using names = await aNameServer();
    expect(await openLookup([names.server])('receiver.example.com', false)).toEqual(['192.0.2.7', '2001:db8::7']);
  });

  it('waits for no name server of another name', async () => {
    using names = await aNameServer();
    const lookup = openLookup([names.server]);
    const slow = Array.from({ length: 16 }, (_, count) => lookup(`silent${count}.example.com`, false));
    const first = await Promise.race([...slow, lookup('receiver.example.com', false)]);
    expect(first).toContain('192.0.2.7');
  });

  it('reads the names of this machine for the operator alone', async () => {
    using names = await aNameServer();
    const lookup = openLookup([names.server]);
    expect(await lookup('localhost', false)).not.toContain('127.0.0.1');
    const [local = ''] = await lookup('localhost', true);
    expect(isLoopback(local)).toBe(true);
  });
});
