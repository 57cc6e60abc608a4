import { beforeAll, describe, expect, it } from 'vitest';

import { appOfFile } from '../support/app.ts';
import { aDesk, type Desk, type Method } from '../support/full-desk.ts';

const server = appOfFile();
let desk: Desk;
beforeAll(async () => void (desk = await aDesk(server)));

/** `C` is the contacts of the chatbot. */
function ask(what: string, body?: object | string) {
  const [method = '', path = ''] = what.split(' ');
  const url = path.replace(/^C/, desk.contacts);
  return server.ask({ ...desk.optionsOf(method as Method, url, body), url });
}

const fields = 'properties must have a name, an e-mail or another property that is not external_id, attributes or tags';

describe('the message of 422 is the first error in words, and how many more there are', () => {
  it.each<[string, object, string]>([
    [
      'POST C',
      { properties: { email: 'no address', phone: true, tags: 7 } },
      'properties.email must be an e-mail address (and 2 more)',
    ],
    [
      'POST C/x/merge',
      { from: ['y'], keep: { 'Ana Ruiz': 'x' } },
      'An entry of keep must have the name of a field as its name',
    ],
    ['POST /v2/webhooks/x/rotate', { overlap: '1 day' }, 'overlap must be a span such as 24h or 90d'],
    ['POST C/x/merge', { from: ['y'], keep: { ana_ruiz: 7 } }, 'An entry of keep must be a text'],
    ['POST C/x/merge', { from: ['y'], keep: { ana_ruiz: 'x' } }, 'A name in keep is not a field of contacts'],
    ['POST C', { properties: { emial: 'a@example.com' } }, 'A name in properties is not known; did you mean email?'],
    ['POST C', { properties: { firstName: 'Ana' } }, 'A name in properties is not known; did you mean first_name?'],
    ['POST C', { properties: { 'Job Title': 'x' } }, 'A name in properties is not known; did you mean job_title?'],
    ['POST C', { properties: { name: 'A', zzz: 'x' } }, 'A name in properties is not known'],
    [
      'POST C',
      { first_name: 'Ana' },
      'A name in the request is not known here; put first_name inside properties (and 1 more)',
    ],
    [
      'PATCH C/one',
      { properties: {}, firstName: 'A' },
      'A name in the request is not known here; put first_name inside properties',
    ],
    ['POST C', { properties: {} }, fields],
    ['POST C', { properties: { name: 'A\u0000b' } }, 'properties.name must be a text without the character U+0000'],
    ['POST C/search', { q: 'ann' }, 'A name in the request is not known; did you mean query?'],
    ['POST C/upsert', { match: {} }, 'match must have one of id, email, external_id'],
    [
      'POST C/upsert',
      { match: { email: 'a@example.com', external_id: 'x' } },
      'match must have only one of id, email, external_id',
    ],
    ['POST C/upsert', { match: { phone: '1' } }, 'A name in match is not known; allowed: id, email, external_id'],
    [
      'POST C/bulk',
      { items: [{ op: 'create', email: 'x' }] },
      'A name in items[0] is not known; allowed: op, id, match, properties',
    ],
    ['POST C/bulk', { contacts: [] }, 'A name in the request is not known; allowed: items (and 1 more)'],
    ['GET C?include=tgas', {}, 'include must be one of details, external_id, attributes, tags, updated_at'],
    ['GET C?page=0', {}, 'page must be at least 1'],
    [
      'GET /v2/events?type=contact.create',
      {},
      'type must be one of the documented words; did you mean contact.created?',
    ],
    ['GET /v2/events?after=none', {}, 'after must be a cursor of this list'],
    ['GET C?cursor=a%20b', {}, 'cursor must be * or a next_cursor of this list'],
    ['POST C/search', { cursor: 'a b' }, 'cursor must be * or a next_cursor of this list'],
    ['PATCH /v2/project/settings', { name: `rst_${'0'.repeat(36)}` }, 'name must hold no API key'],
    [
      'POST /v2/members',
      { email: 'a@example.com', roles: ['Viewer'], expires_in: 'a week' },
      'expires_in must be a span from 1h to 30d, such as 7d',
    ],
  ])('%s %j', async (what, body, message) => {
    const answer = await ask(what, what.startsWith('GET') ? undefined : body);
    expect([answer.status, answer.json.message]).toEqual([422, message]);
  });

  it('and so of an item of a bulk request, without the name of an attribute', async () => {
    const { json } = await ask('POST C/bulk', { items: [{ op: 'create', properties: { attributes: { Ana: 1 } } }] });
    expect(json.data).toMatchObject({
      results: [
        { message: expect.stringMatching(/^An entry of properties\.attributes must begin with a letter a to z/) },
      ],
    });
  });
});

describe('the message', () => {
  it.each<[string, string, string]>([
    ['POST C', '{"properties":{"name":"A",}}', 'The request body is not JSON; the first mistake is at byte 26'],
    ['POST C', "{'properties':{}}", 'The request body is not JSON; the first mistake is at byte 1'],
    ['POST C', '[]', 'The request body must be a JSON object'],
    ['POST C/bulk', '"x"', 'The request body must be a JSON object'],
    ['GET C/%zz', '', 'The URL is malformed; a percent sign must begin an escape of UTF-8'],
  ])('of 400 says what cannot be read: %s %s', async (what, body, message) => {
    const { status, json } = await ask(what, body === '' ? undefined : body);
    expect([status, json.message]).toEqual([400, message]);
  });

  it('of 405 names the methods that the path has', async () => {
    expect((await ask('PUT C/one')).json.message).toBe(
      'This path does not answer this method; it answers GET, HEAD, PATCH, DELETE',
    );
    expect((await ask('PUT C/search')).json.message).toContain('it answers GET, HEAD, POST, PATCH, DELETE');
  });

  it.each(['search', 'upsert', 'bulk', 'lookup'])('of 404 says that %s is a POST', async (word) => {
    for (const method of ['GET', 'DELETE']) {
      const { status, json } = await ask(`${method} C/${word}?query=ann`);
      expect([status, json.code, json.message]).toEqual([404, 'not_found', `Not found; ${word} is a POST`]);
    }
    expect((await ask('GET C/nobody')).json.message).toBe('Not found');
    expect((await ask('GET C/:contactId')).json.message).toBe('Not found');
    expect((await ask('POST C/nobody/restore')).json.message).toBe('Not found');
  });

  it.each([
    '/v2/conversations',
    '/v2/ai/kb/models',
    '/v2/usage/ai-credits',
    '/v2/usage/email-credits/',
    '/v2/usage/knowledge-base?x=1',
    '/v2/chatbots/1/conversations',
    '/v2/chatbots/1/conversations/2/messages',
    '/v2/chatbots/1/duplicate',
    '/v2/chatbots/1/knowledge-base/3',
    '/v2/chatbots/1/ai/kb/chat',
  ])('of 404 says that Roster has not what Chatling has: %s', async (path) => {
    for (const method of ['GET', 'POST']) {
      const { status, json } = await ask(`${method} ${path}`);
      const message = 'Roster keeps people only; this path of Chatling is not part of it';
      expect([status, json.code, json.message]).toEqual([404, 'unknown_path', message]);
    }
  });

  it.each(['//v2/members', '/v2//members', '/v2/members//', '/v2/chatbots//'])(
    'of 404 names two slashes in a row: %s',
    async (path) => {
      const message = 'No path has two slashes in a row; /docs lists all paths';
      expect((await ask(`GET ${path}`)).json).toMatchObject({ code: 'unknown_path', message });
    },
  );

  it('of 404 is the same for paths that nobody knows, also without a key', async () => {
    const message = 'There is no such path; /docs lists those that exist';
    const paths = '/v2 /v2/ /V2/members /v1/members /v2/air /v2/usage /v2/usage/ /v2/contacts /ai /v2/chatbots/1/air';
    for (const path of paths.split(' ')) {
      const { status, json } = await server.get(path);
      expect([path, status, json.code, json.message]).toEqual([path, 404, 'unknown_path', message]);
    }
  });
});
