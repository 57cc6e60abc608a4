import { describe, expect, it } from 'vitest';

import { generateToken } from '../../src/api-keys/token.ts';
import type { Answered } from '../../src/observability/access-log.ts';
import { appOfFile, openApp } from '../support/app.ts';
import { aProject, createApiKey, revokeApiKey } from '../support/people.ts';

const server = appOfFile();

describe('the key check, 401', () => {
  it('gives one message for no, malformed, unknown, expired and revoked credentials', async () => {
    const { projectId, token, keyId } = await aProject(server.store);
    const expired = await createApiKey(server.store, projectId, { name: 'old', expiresInSeconds: -1 });
    await revokeApiKey(server.store, keyId);
    const headers = [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      `Basic ${token}`,
      token,
      `Bearer ${generateToken()}`,
      `Bearer ${expired.token}`,
      `Bearer ${token}`,
      `Bearer ${token} ${token}`,
      `Bearer ${'x'.repeat(400)}`,
    ];
    const bodies = new Set<string>();
    for (const authorization of headers) {
      const answer = await server.ask({
        url: '/v2/members?page=0',
        headers: { 'x-request-id': 'same', ...(authorization !== undefined && { authorization }) },
      });
      expect(answer.status, authorization).toBe(401);
      bodies.add(answer.body);
      const sentToken = /^Bearer \S/.test(authorization ?? '');
      expect(answer.headers['www-authenticate']).toBe(
        sentToken ? 'Bearer realm="roster", error="invalid_token"' : 'Bearer realm="roster"',
      );
    }
    expect(bodies.size).toBe(1);
  });

  it('tells the log which key was refused where one has ended, and of an unknown token nothing', async () => {
    const told: Answered[] = [];
    await using server = await openApp({}, undefined, { onAnswered: [(answered) => told.push(answered)] });
    const { projectId, token, keyId } = await aProject(server.store);
    const expired = await createApiKey(server.store, projectId, { name: 'old', expiresInSeconds: -1 });
    await revokeApiKey(server.store, keyId);
    const altered = token.slice(0, -1) + (token.endsWith('0') ? '1' : '0');
    for (const one of [token, expired.token, generateToken(), altered, undefined]) await server.get('/v2/members', one);
    await expect.poll(() => told).toHaveLength(5);
    const lines = told.map(({ status, refusal, keyId: key, projectId: project }) => [status, refusal, key, project]);
    expect(lines).toEqual(
      expect.arrayContaining([
        [401, 'revoked', keyId, projectId],
        [401, 'expired', expired.key.id, projectId],
        [401, 'unknown', undefined, undefined],
        [401, 'malformed', undefined, undefined],
        [401, 'missing', undefined, undefined],
      ]),
    );
  });

  it('takes no key from the URL', async () => {
    const { token } = await aProject(server.store);
    for (const name of ['token', 'api_key', 'access_token', 'key']) {
      expect((await server.get(`/v2/members?${name}=${token}`)).status).toBe(401);
    }
  });
});

describe('the key check, 200', () => {
  it('knows the scheme in any letter case', async () => {
    const { token } = await aProject(server.store);
    for (const scheme of ['bearer', 'BEARER', 'bEaReR']) {
      const headers = { authorization: `${scheme}  ${token} ` };
      expect((await server.ask({ url: '/v2/members', headers })).status).toBe(200);
    }
  });

  it('knows a key in a form from elsewhere', async () => {
    const { projectId } = await aProject(server.store);
    const token = 'cl-0123456789abcdef~legacy';
    await createApiKey(server.store, projectId, { name: 'as before', token });
    expect((await server.get('/v2/members', token)).status).toBe(200);
  });

  it('notes the use of a key after the answer', async () => {
    const { token, keyId } = await aProject(server.store);
    await server.get('/v2/members', token);
    await expect.poll(async () => (await server.store.apiKeys.locate(keyId))?.last_used_at).toMatch(/\+00:00$/);
  });
});
