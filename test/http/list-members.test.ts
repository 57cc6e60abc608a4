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

  it('pages by fifteen, in order, and covers all members over all pages', async () => {
    const { token } = await aProject(server.store, { members: many });
    const seen: unknown[] = [];
    for (const page of [1, 2, 3]) {
      const { json } = await server.get(`/v2/members?page=${page}`, token);
      expect(json['data']).toMatchObject({ pages: { current_page: page, last_page: 3, per_page: 15 } });
      seen.push(...(json['data'] as unknown as { members: unknown[] }).members);
    }
    expect(seen).toEqual(many);
  });

  it('past the end is an empty list with the page asked for and the true last page', async () => {
    const { token } = await aProject(server.store, { members: many });
    for (const page of [2, 999_999_999, 2 ** 31, Number.MAX_SAFE_INTEGER]) {
      for (const filter of ['', '&status=Active']) {
        const { json } = await server.get(`/v2/members?page=${page}&per_page=100${filter}`, token);
        expect(json['data']).toEqual({
          pages: { current_page: page, last_page: 1, per_page: 100 },
          members: [],
        });
      }
    }
    const { status } = await server.get(`/v2/members?page=${2 ** 53}`, token);
    expect(status).toBe(422);
  });

  it('of a project without members is one empty page', async () => {
    const { token } = await aProject(server.store);
    const { json } = await server.get('/v2/members', token);
    expect(json['data']).toEqual({ pages: { current_page: 1, last_page: 1, per_page: 15 }, members: [] });
  });

  it('filters by status, role and address, and pages what is left', async () => {
    const { token, projectId } = await aProject(server.store, { members: many });
    await storeMembers(server.store, projectId, [
      aMember({ email: 'Pia@example.com', status: 'Pending', roles: ['Viewer'] }),
    ]);
    for (const query of [
      'status=Pending',
      'role=Viewer',
      'status=pENDING',
      'role=VIEWER',
      'email=PIA%40EXAMPLE.COM',
      'status=Pending&role=Viewer&email=pia@example.com',
    ]) {
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
  it.each<[field: string, code: string, values: string[]]>([
    ['page', 'type', notWhole],
    ['page', 'too_small', ['0']],
    ['page', 'too_large', ['9007199254740992']],
    ['per_page', 'type', ['', 'all', '15.5', '-1']],
    ['per_page', 'too_small', ['0']],
    ['per_page', 'too_large', ['101', '1000']],
    ['status', 'not_allowed', ['', 'Gone', 'Active,Pending', ' Active']],
    ['role', 'not_allowed', ['', 'Boss', 'Owner;Admin']],
    ['email', 'too_short', ['']],
    ['email', 'too_long', [long]],
    ['email', 'format', ['%00']],
  ])('names %s and the code %s', async (field, code, values) => {
    const { token } = await aProject(server.store);
    for (const value of values) {
      const { status, json } = await server.get(`/v2/members?${field}=${value}`, token);
      expect([value, status, json.code]).toEqual([value, 422, 'validation_failed']);
      expect([value, json.errors?.map((one) => [one.field, one.code])]).toEqual([value, [[field, code]]]);
      expect(json.errors?.[0]?.message).toMatch(/^must /);
    }
  });

  it.each(['page=1&page=2', 'status=Active&status=Active', 'email=a&email=', 'role=x&role=Owner'])(
    'refuses a parameter that is given twice: %s',
    async (query) => {
      const { token } = await aProject(server.store);
      const { status, json } = await server.get(`/v2/members?${query}`, token);
      const field = query.split('=')[0];
      expect([status, json.errors]).toEqual([422, [{ field, code: 'too_many', message: 'must be given once' }]]);
    },
  );

  it('names every wrong parameter at once', async () => {
    const { token } = await aProject(server.store);
    const { json } = await server.get('/v2/members?page=0&per_page=0&role=x', token);
    expect(json.errors?.map(({ field }) => field)).toEqual(['page', 'per_page', 'role']);
  });
});
