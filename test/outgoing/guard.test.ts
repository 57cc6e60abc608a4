import { createServer } from 'node:http';

import { describe, expect, it } from 'vitest';

import { openOutgoing } from '../../src/outgoing/outgoing.ts';
import type { UrlRefusal } from '../../src/webhooks/outgoing.ts';
import { listening } from '../support/listening.ts';

/** Answers each question with the next of these; the last one again and again. */
function aResolver(...answers: string[][]) {
  const asked: string[] = [];
  const lookup = async (host: string) => answers[Math.min(asked.push(host), answers.length) - 1] ?? [];
  return { asked, lookup };
}

async function aReceiver() {
  const seen: string[] = [];
  const server = createServer(({ headers }, response) => {
    seen.push(headers.host ?? '');
    response.end();
  });
  server.on('connection', () => seen.push('connection'));
  return Object.assign(await listening(server), { seen });
}

const letter = { headers: {}, body: '{}' };
/** Belongs to the black holes of AS112 (RFC 7535): public, and nothing answers there. */
const publicAddress = '192.31.196.1';

const loopback = [
  'https://127.0.0.1/',
  'https://127.0.0.1:/hook',
  'https://127.8.9.10:8443/hook?a=b#c',
  'https://2130706433/',
  'https://127.1/',
  'https://127.0.0.1./',
  'https://127.0.0.1../',
  'https://１２７.０.０.１/',
  'https:\\\\127.0.0.1\\@example.com',
  'https://@127.0.0.1/',
  'https://0/',
  'https://localhost/',
  'https://LOCALHOST:/',
  'https://localhost./',
  'https://localhost../',
  'https://local\u00adhost/',
  'https://a.b.localhost/',
  'https://[::1]/',
  'https://[::]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::127.0.0.1]/',
  'https://[64:ff9b::127.0.0.1]/',
  'https://[2002:7f00:1::]/',
  'https://[2001:0:808:808:0:0:80ff:fffe]/',
];
const insideNetworks = [
  'https://10.0.0.1/',
  'https://100.64.0.1/',
  'https://100.100.100.200/',
  'https://168.63.129.16/',
  'https://169.254.169.254/latest/meta-data/',
  'https://172.16.0.1/',
  'https://172.31.255.255/',
  'https://192.0.0.192/',
  'https://192.0.2.1/',
  'https://192.168.1.1/',
  'https://198.19.255.255/',
  'https://203.0.113.80/',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  'https://[fc00::1]/',
  'https://[fd00:ec2::254]/',
  'https://[fe80::1]/',
  'https://[fec0::1]/',
  'https://[ff02::1]/',
  'https://[100::1]/',
  'https://[2001:2::1]/',
  'https://[2001:db8::1]/',
  'https://[3fff::1]/',
  'https://[64:ff9b:1::8.8.8.8]/',
  'https://[::ffff:10.0.0.1]/',
  'https://[64:ff9b::a9fe:a9fe]/',
  'https://[2002:c0a8:101::1]/',
];
const others: [string, UrlRefusal][] = [
  ['https://[fe80::1%25eth0]/', 'malformed'],
  ['https://[fe80::1%eth0]/', 'malformed'],
  ['https://', 'malformed'],
  ['//127.0.0.1/', 'malformed'],
  ['http://127.0.0.1/', 'scheme'],
  [`http://${publicAddress}/`, 'scheme'],
  ['ftp://example.com/', 'scheme'],
  ['file:///etc/passwd', 'scheme'],
  ['data:text/plain,hello', 'scheme'],
  ['https://user@example.com/', 'user_in_url'],
  ['https://:made-up@example.com/', 'user_in_url'],
  ['https://example.com@127.0.0.1/', 'user_in_url'],
  ['https://127.0.0.1%2f@example.com/', 'user_in_url'],
  ['https://no-such.example/', 'unresolved'],
  ['https://./', 'unresolved'],
];
const hostile: [string, UrlRefusal][] = [
  ...[...loopback, ...insideNetworks].map((url): [string, UrlRefusal] => [url, 'forbidden_address']),
  ...others,
];

describe('the guard', () => {
  it.each(hostile)('refuses %j when it is saved and when it is sent to, as %s', async (url, refusal) => {
    const { asked, lookup } = aResolver([]);
    using outgoing = openOutgoing([], { lookup });
    expect(await outgoing.refusalOf(url)).toBe(refusal);
    expect(await outgoing.post({ url, ...letter })).toMatchObject({ status: null, failure: refusal });
    expect(asked.length > 0).toBe(refusal === 'unresolved');
  });

  it.each([
    'https://192.31.196.1/',
    'https://9.255.255.255/',
    'https://11.0.0.0/',
    'https://100.63.255.255/',
    'https://100.128.0.0/',
    'https://126.255.255.255/',
    'https://172.15.255.255/',
    'https://172.32.0.0/',
    'https://223.255.255.255/',
    'https://[2001:200::1]/',
    'https://[2606:4700::1]/',
    'https://[::ffff:192.31.196.1]/',
    'https://[64:ff9b::192.31.196.1]/',
    'https://[2002:c01f:c401::]/',
    'https://[2001:0:7f00:1:0:0:3fe0:3bfe]/',
  ])('opens %s, which is public', async (url) => {
    using outgoing = openOutgoing([]);
    expect(await outgoing.refusalOf(url)).toBeUndefined();
  });

  it.each([
    ['127.0.0.1'],
    [publicAddress, '10.0.0.1'],
    ['2606:4700::1', '::1'],
    ['::ffff:127.0.0.1'],
    ['::FFFF:7F00:1'],
    ['fe80::1%eth0'],
    ['2606:4700::1%eth0'],
    ['no address'],
  ])('refuses a name that leads to %s and %s', async (...addresses) => {
    using outgoing = openOutgoing([], aResolver(addresses));
    const url = 'https://receiver.example.com/hook';
    expect(await outgoing.refusalOf(url)).toBe('forbidden_address');
    expect(await outgoing.post({ url, ...letter })).toMatchObject({ failure: 'forbidden_address' });
  });

  it('connects to the address that it checked, though the next answer is the loopback', async () => {
    using receiver = await aReceiver();
    const { asked, lookup } = aResolver([publicAddress], ['127.0.0.1']);
    using outgoing = openOutgoing([], { lookup, connectMs: 30 });
    const request = { url: `https://receiver.example.com:${receiver.port}/`, ...letter };
    expect((await outgoing.post(request)).failure).toMatch(/^(timeout|no_connection)$/);
    expect(asked).toEqual(['receiver.example.com']);
    expect(await outgoing.post(request)).toMatchObject({ failure: 'forbidden_address' });
    expect(receiver.seen).toEqual([]);
  });

  it('judges a name anew when it is sent to, though it was public when it was saved', async () => {
    using receiver = await aReceiver();
    using outgoing = openOutgoing([], aResolver([publicAddress], ['127.0.0.1']));
    const url = `https://receiver.example.com:${receiver.port}/`;
    expect(await outgoing.refusalOf(url)).toBeUndefined();
    expect(await outgoing.post({ url, ...letter })).toMatchObject({ failure: 'forbidden_address' });
    expect(receiver.seen).toEqual([]);
  });

  it('takes no longer than the limit for a name server that is silent, and ends with the signal', async () => {
    const lookup = () => new Promise<string[]>(() => undefined);
    using outgoing = openOutgoing([], { lookup, connectMs: 10 });
    const url = 'https://receiver.example.com/';
    expect(await outgoing.refusalOf(url)).toBe('unresolved');
    expect(await outgoing.post({ url, ...letter })).toMatchObject({ failure: 'unresolved' });
    using patient = openOutgoing([], { lookup });
    const stopping = new AbortController();
    const posting = patient.post({ url, ...letter }, stopping.signal);
    stopping.abort(new Error('enough'));
    await expect(posting).rejects.toThrow('enough');
  });

  it('takes a name server that fails for one without an answer', async () => {
    const lookup = () => Promise.reject(new Error('ENOTFOUND'));
    using outgoing = openOutgoing([], { lookup });
    expect(await outgoing.refusalOf('https://receiver.example.com/')).toBe('unresolved');
  });
});

describe('what the operator allows', () => {
  it.each<[allow: string, url: string, UrlRefusal?]>([
    ['10.0.0.0/8', 'https://10.1.2.3/'],
    ['10.0.0.0/8', 'http://10.1.2.3:8080/'],
    ['10.0.0.0/8', 'https://[::ffff:10.1.2.3]/'],
    ['10.0.0.0/8', 'https://private.example.com/'],
    ['10.0.0.0/8', 'https://11.0.0.1/'],
    ['10.0.0.0/8', 'http://11.0.0.1/', 'scheme'],
    ['10.0.0.0/8', 'https://192.168.0.1/', 'forbidden_address'],
    ['10.0.0.0/8', 'https://both.example.com/', 'forbidden_address'],
    ['10.0.0.1:5678', 'http://10.0.0.1:5678/'],
    ['10.0.0.1:5678', 'http://10.0.0.1/', 'scheme'],
    ['10.0.0.1:443', 'https://10.0.0.1/'],
    ['10.0.0.1:80', 'http://10.0.0.1:/'],
    ['10.0.0.1', 'http://10.0.0.2/', 'scheme'],
    ['fd00::/8', 'http://[fd00::1]:81/'],
    ['[fd00::/8]:81', 'http://[fd00::1]:81/'],
    ['[fd00::1]:81', 'https://[fd00::1]/', 'forbidden_address'],
    ['::1', 'http://[::1]/'],
    ['private.example.com:5678', 'http://private.example.com:5678/'],
    ['private.example.com:5678', 'http://PRIVATE.example.com.:5678/'],
    ['private.example.com:5678', 'https://private.example.com/', 'forbidden_address'],
    ['private.example.com', 'https://a.private.example.com/', 'unresolved'],
    ['private.example.com', 'http://10.0.0.1/', 'scheme'],
    ['Private.Example.com', 'http://private.example.com/'],
    ['both.example.com', 'http://both.example.com/', 'scheme'],
    ['both.example.com,169.254.0.0/16', 'http://both.example.com/'],
    ['loopback.example.com', 'https://loopback.example.com/', 'forbidden_address'],
    ['loopback.example.com,127.0.0.1:443', 'https://loopback.example.com/'],
    ['localhost', 'https://localhost/', 'forbidden_address'],
    ['127.0.0.1', 'http://localhost:8080/'],
    ['10.0.0.0/8', 'https://user@10.0.0.1/', 'user_in_url'],
    ['10.0.0.0/8', 'ftp://10.0.0.1/', 'scheme'],
  ])('%s: %s', async (allow, url, refusal) => {
    const names: Record<string, string[]> = {
      'private.example.com': ['10.0.0.1', 'fd00::1'],
      'both.example.com': ['10.0.0.1', '169.254.1.1'],
      'loopback.example.com': ['127.0.0.1'],
    };
    const named = allow.split(',');
    if (allow === '10.0.0.0/8') named.push('fd00::/8');
    const lookup = async (host: string) => names[host.replace(/\.$/, '')] ?? [];
    using outgoing = openOutgoing(named, { lookup });
    expect(await outgoing.refusalOf(url)).toBe(refusal);
  });

  it('leads to the address of the name, with the name in the request', async () => {
    using receiver = await aReceiver();
    using outgoing = openOutgoing([`127.0.0.1:${receiver.port}`], aResolver(['127.0.0.1']));
    const url = `http://receiver.example.com.:${receiver.port}/`;
    expect(await outgoing.post({ url, ...letter })).toMatchObject({ status: 200, failure: null });
    expect(receiver.seen).toEqual(['connection', `receiver.example.com:${receiver.port}`]);
  });

  it.each(['10.0.0.0/33', '[10.0.0.1]:80', 'https://n8n.internal', '*.internal', '10.0.0.1:0', 'n8n:65536', ''])(
    'is refused where it is "%s"',
    (text) => {
      expect(() => openOutgoing([text])).toThrow();
    },
  );
});
