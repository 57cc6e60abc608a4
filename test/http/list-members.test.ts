import { describe, expect, it } from 'vitest';

import { appOfFile } from '../support/app.ts';
import { aMember, aProject, storeMembers } from '../support/people.ts';

const server = appOfFile();

const many = Array.from({ length: 31 }, (_, i) => aMember({ email: `member-${i}@example.com` }));

describe('GET /v2/members, 200', () => {
  it('has exactly pages and members, each with exactly its fields', async () => {
    const members = [
      aMember({ email: 'Ada@Example.com', roles: ['Owner', 'Billing'] }),
      aMember({ email: 'bob@example.com', status: 'Pending', roles: ['Editor'] }),
    ];
    const { token } = await aProject(server.store, { members });
    const { status, body } = await server.get('/v2/members', token);
    expect(status).toBe(200);
    expect(body).toBe(
      JSON.stringify({
        status: 'success',
        data: { pages: { current_page: 1, last_page: 1, per_page: 15 }, members },
      }),
    );
  });

  it('pages by fifteen, in order, and is empty past the end, with the page asked for and the true last one', async () => {
    const { token } = await aProject(server.store, { members: many });
    const page = async (query: string) => (await server.get(`/v2/members?${query}`, token)).json.data as unknown;
    const pages = (current_page: number, last_page: number, per_page = 15) => ({ current_page, last_page, per_page });
    for (const number of [1, 2, 3]) {
      const members = many.slice(15 * (number - 1), 15 * number);
      expect(await page(`page=${number}`)).toEqual({ pages: pages(number, 3), members });
    }
    for (const number of [2, 2 ** 31, Number.MAX_SAFE_INTEGER]) {
      for (const filter of ['', '&status=Active']) {
        const none = { pages: pages(number, 1, 100), members: [] };
        expect(await page(`page=${number}&per_page=100${filter}`)).toEqual(none);
      }
    }
    const { token: empty } = await aProject(server.store);
    const { json } = await server.get('/v2/members', empty);
    expect(json['data']).toEqual({ pages: pages(1, 1), members: [] });
  });

  it('filters by status, role and address, and pages what is left', async () => {
    const { token, projectId } = await aProject(server.store, { members: many });
    await storeMembers(server.store, projectId, [
      aMember({ email: 'Pia@example.com', status: 'Pending', roles: ['Viewer'] }),
    ]);
    for (const query of ['status=pENDING', 'role=VIEWER', 'email=PIA%40EXAMPLE.COM']) {
      const { json } = await server.get(`/v2/members?${query}`, token);
      expect(json['data'], query).toEqual({
        pages: { current_page: 1, last_page: 1, per_page: 15 },
        members: [{ email: 'Pia@example.com', status: 'Pending', roles: ['Viewer'] }],
      });
    }
  });

  it('ignores query parameters that it does not know', async () => {
    const { token } = await aProject(server.store);
    const { status } = await server.get('/v2/members?pages=0&token=secret&__proto__=1&page=1', token);
    expect(status).toBe(200);
  });
});

describe('GET /v2/members, 422', () => {
  const long = 'x'.repeat(255);
  const notWhole = ['-1', 'abc', '1e3', '+1', '%2B1', '%201', '1.0', '01', '', '0x1', '٣'];
  const ask = async (query: string) => {
    const { token } = await aProject(server.store);
    return server.get(`/v2/members?${query}`, token);
  };

  it.each<[field: string, code: string, values: string[]]>([
    ['page', 'type', notWhole],
    ['page', 'too_small', ['0']],
    ['page', 'too_large', [`${2 ** 53}`]],
    ['per_page', 'type', ['', 'all', '15.5', '-1']],
    ['per_page', 'too_small', ['0']],
    ['per_page', 'too_large', ['101', '1000']],
    ['status', 'not_allowed', ['', 'Gone', 'Active,Pending', ' Active']],
    ['role', 'not_allowed', ['', 'Boss', 'Owner;Admin']],
    ['email', 'too_short', ['']],
    ['email', 'too_long', [long]],
    ['email', 'format', ['%00']],
  ])('names %s and the code %s', async (field, code, values) => {
    for (const value of values) {
      const { status, json } = await ask(`${field}=${value}`);
      expect([value, status, json.code]).toEqual([value, 422, 'validation_failed']);
      expect([value, json.errors?.map((one) => [one.field, one.code])]).toEqual([value, [[field, code]]]);
      expect(json.errors?.[0]?.message).toMatch(/^must /);
    }
  });

  it.each(['page=1&page=2', 'status=Active&status=Active', 'email=a&email=', 'role=x&role=Owner'])(
    'refuses a parameter that is given twice: %s',
    async (query) => {
      const { status, json } = await ask(query);
      const field = query.split('=')[0];
      expect([status, json.errors]).toEqual([422, [{ field, code: 'too_many', message: 'must be given once' }]]);
    },
  );

  it('names every wrong parameter at once', async () => {
    const { json } = await ask('page=0&per_page=0&role=x');
    expect(json.errors?.map(({ field }) => field)).toEqual(['page', 'per_page', 'role']);
  });
});
