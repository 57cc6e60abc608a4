import type { Front, FrontName } from '../../acceptance/hostile/fronts.ts';
import type { Installation } from '../../acceptance/installation.ts';
import type { RosterClient } from '../../clients/typescript/src/index.ts';
import type { Answer, Asked } from './ask.ts';
import { afterLostAnswer, protocolOf } from './lost-answer.ts';

export interface Given {
  name: FrontName;
  ask: (path: string, asked?: Asked) => Promise<Answer>;
  front: Front;
  at: Installation;
  token: string;
  bearer: Record<string, string>;
  client: RosterClient;
}

const contacts = '/v2/chatbots/shop/contacts';
/** A contact's id whose characters have meanings in a path. */
export const awkward = 'crm:42/ä b+c%2F..;d';

/** The checks of each proxy. A check that fails throws, or returns what is wrong. */
export const checks: Readonly<Record<string, (given: Given) => Promise<string | undefined | false>>> = {
  'sends http to the same address of https, with 308': async ({ front }) => {
    const url = `http://127.0.0.1:${front.plainPort}/v2/members?page=2`;
    const { status, headers } = await fetch(url, { redirect: 'manual' });
    const { pathname, search, protocol } = new URL(headers.get('location') ?? 'none:');
    return (status !== 308 || protocol !== 'https:' || pathname + search !== '/v2/members?page=2') && `${status}`;
  },
  'offers HTTP/2, or with HAProxy HTTP/1.1': async ({ name, front }) => {
    const protocol = await protocolOf(front);
    return protocol !== (name === 'HAProxy' ? 'http/1.1' : 'h2') && `${protocol}`;
  },
  'lets nobody repeat a create whose answer was lost': ({ name, at }) => afterLostAnswer(name, at.folder),
  'tells browsers to stay with https': async ({ ask }) =>
    !(await ask('/livez')).headers['strict-transport-security']?.startsWith('max-age=') && 'no header',
  'passes the path on as it is encoded': async ({ ask, bearer }) => {
    const { status, text } = await ask(`${contacts}/${encodeURIComponent(awkward)}`, { headers: bearer });
    return (status !== 200 || (JSON.parse(text) as { data: { id: string } }).data.id !== awkward) && `${status}`;
  },
  'serves what the README of the client shows': async ({ client }) => {
    const chatbotId = 'shop';
    const { id: contactId } = await client.createContact({ chatbotId, properties: { name: 'Ana', tags: ['vip'] } });
    const ana = await client.retrieveContact({ chatbotId, contactId, include: ['tags'] });
    let count = 0;
    for await (const _ of client.listContacts({ chatbotId, per_page: 10 })) count++;
    let after = '*';
    for await (const page of client.listEvents({ after }).pages()) after = page.next_cursor ?? after;
    await client.updateContact({ chatbotId, contactId, properties: { city: 'Lisbon' } });
    let followed = '';
    for await (const event of client.listEvents({ after, wait: 20 })) {
      followed = event.type;
      break;
    }
    const seen = await client.retrieveContact({ chatbotId, contactId }).withResponse();
    await client.updateContact({ chatbotId, contactId, properties: { phone: '+1 555 0100' } }, { ifMatch: seen.etag });
    await client.deleteContact({ chatbotId, contactId });
    return (
      (ana.tags?.[0] !== 'vip' || count < 50 || followed !== 'contact.updated') &&
      JSON.stringify([ana, count, followed])
    );
  },
  'keeps ETag, If-None-Match and If-Match': async ({ ask, bearer }) => {
    const path = `${contacts}/contact-1`;
    const { etag = '' } = (await ask(path, { headers: bearer })).headers;
    const unchanged = await ask(path, { headers: { ...bearer, 'If-None-Match': etag } });
    const write = () =>
      ask(path, {
        method: 'PATCH',
        headers: { ...bearer, 'Content-Type': 'application/json', 'If-Match': etag },
        body: JSON.stringify({ properties: { city: `Lisbon ${etag}` } }),
      });
    const [first, second] = [await write(), await write()];
    const statuses = [unchanged.status, first.status, second.status].join(' ');
    return statuses !== '304 200 412' && statuses;
  },
  'takes a body of a megabyte': async ({ ask, bearer }) => {
    const items = Array.from({ length: 1_000 }, (_, index) => ({
      op: 'upsert',
      match: { external_id: `big-${index}` },
      properties: { name: `Person ${index}`, external_id: `big-${index}` },
    }));
    const body = JSON.stringify({ items }).padEnd(1_048_576);
    const { status, text } = await post(ask, `${contacts}/bulk`, bearer, body);
    const { results = [] } = status === 200 ? (JSON.parse(text) as { data: { results: object[] } }).data : {};
    return results.length !== 1_000 && `${status} ${text.slice(0, 80)}`;
  },
  'answers a body of five megabytes with 413 in the envelope': async ({ ask, bearer }) => {
    const { status, isEnvelope, text } = await post(ask, contacts, bearer, `"${'x'.repeat(5 * 1_048_576)}"`);
    return (status !== 413 || !isEnvelope) && `${status} ${text.slice(0, 80)}`;
  },
  'passes on headers of 8 KiB': async ({ ask, bearer }) => {
    const { status } = await ask('/v2/members', { headers: { ...bearer, 'X-Padding': 'x'.repeat(8_000) } });
    return status !== 200 && `${status}`;
  },
  'has no metrics': async ({ ask }) => {
    const { status, isEnvelope } = await ask('/metrics');
    return (status !== 404 || !isEnvelope) && `${status}`;
  },
  'answers a request that asks for a WebSocket': async ({ ask, bearer }) => {
    const webSocket = { 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==' };
    const headers = { ...bearer, Connection: 'Upgrade', Upgrade: 'websocket', ...webSocket };
    const { status } = await ask('/v2/members', { headers });
    return status !== 200 && `${status}`;
  },
  'serves the console, the reference and the document': async ({ ask }) => {
    const statuses = await Promise.all(
      ['/console', '/docs', '/openapi.json'].map(async (path) => (await ask(path)).status),
    );
    return statuses.join(' ') !== '200 200 200' && statuses.join(' ');
  },
  'walks through everybody, page by page': async ({ at, client }) => {
    let count = 0;
    for await (const _ of client.listContacts({ chatbotId: 'shop' })) count++;
    const { stdout } = await at.run(['contacts', 'export', '--chatbot', 'shop', '--format', 'ndjson']);
    const kept = stdout.trim().split('\n').length;
    return (count < 1_000 || count !== kept) && `${count} of ${kept}`;
  },
  'waits 20 seconds for an event that does not come': async ({ ask, bearer }) => {
    const startedAt = performance.now();
    const { status } = await ask('/v2/events?wait=20&type=member.removed', { headers: bearer });
    const seconds = (performance.now() - startedAt) / 1_000;
    return (status !== 200 || seconds < 19) && `${status} after ${seconds.toFixed(1)} s`;
  },
  // Comes last, because it uses up the rejections of an address.
  'counts rejected keys by the address of the client, whatever the client says': async ({ ask }) => {
    const reject = (from: string, index: number) =>
      ask('/v2/members', { from, headers: { Authorization: 'Bearer none', 'X-Forwarded-For': `192.0.2.${index}` } });
    const statuses: number[] = [];
    for (let index = 0; index < 70; index++) statuses.push((await reject('127.0.0.2', index)).status);
    const other = await reject('127.0.0.3', 1);
    return (statuses.at(-1) !== 429 || other.status !== 401) && `${statuses.at(-1)} ${other.status}`;
  },
};

function post(ask: Given['ask'], path: string, bearer: Record<string, string>, body: string): Promise<Answer> {
  return ask(path, { method: 'POST', headers: { ...bearer, 'Content-Type': 'application/json' }, body });
}
