import { describe, expect, it } from 'vitest';

import { appOfFile, openApp } from '../support/app.ts';
import { aProject, createApiKey } from '../support/people.ts';

const server = appOfFile();

describe('GET /v2/key, 200', () => {
  it('is the key that asks, with exactly its five fields and no token', async () => {
    await using server = await openApp({ rateLimit: 9 });
    const { projectId } = await aProject(server.store, { id: 'acme' });
    const { key, token } = await createApiKey(server.store, projectId, {
      name: 'CRM sync',
      scopes: ['project:read', 'contacts:read'],
      expiresInSeconds: 3_600,
    });
    const { body, headers, status } = await server.get('/v2/key', token);
    expect([status, body]).toEqual([
      200,
      `{"status":"success","data":{"id":"${key.id}","name":"CRM sync","project_id":"acme","scopes":["contacts:read","project:read"],"expires_at":"${key.expires_at}"}}`,
    ]);
    expect(headers).toMatchObject({ 'cache-control': 'private, no-store', 'x-ratelimit-remaining': '8' });
    const again = await server.get('/v2/key', token, { 'if-none-match': headers['etag'] ?? '' });
    expect([again.status, again.headers['x-ratelimit-remaining']]).toEqual([304, '7']);
  });

  it('is never what another key of the project was told, however often they ask', async () => {
    const { projectId, token, keyId } = await aProject(server.store);
    const other = await createApiKey(server.store, projectId, { name: 'another', scopes: ['events:read'] });
    for (let time = 0; time < 5; time++) {
      for (const [asking, id] of [
        [token, keyId],
        [other.token, other.key.id],
      ] as const) {
        const { status, json } = await server.get('/v2/key', asking);
        expect([status, json.data]).toEqual([200, expect.objectContaining({ id })]);
      }
    }
  });
});
