import { expect, it } from 'vitest';

import { openApp } from '../support/app.ts';
import { aProject, createApiKey } from '../support/people.ts';

it('GET /v2/key is the key that asks, with exactly its five fields and no token', async () => {
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
