import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { stateOf, touchDueAt } from '../../src/api-keys/api-key.ts';
import { authenticate, explain } from '../../src/api-keys/authenticate.ts';
import { createApiKey as createApiKeyOperation } from '../../src/api-keys/create.ts';
import { revokeApiKey as revokeApiKeyOperation } from '../../src/api-keys/revoke.ts';
import { rotateApiKey as rotateApiKeyOperation } from '../../src/api-keys/rotate.ts';
import { generateToken, hashToken } from '../../src/api-keys/token.ts';
import { updateApiKey as updateApiKeyOperation } from '../../src/api-keys/update.ts';
import { inviteMember } from '../../src/members/invite.ts';
import { run } from '../../src/operation.ts';
import { defaultScopes } from '../../src/rights.ts';
import { at } from '../support/clock.ts';
import { engines, shared } from '../support/engines.ts';
import { aProject, createApiKey, revokeApiKey, rotateApiKey, updateApiKey } from '../support/people.ts';

const noon = new Date('2026-01-01T12:00:00Z');
const later = (seconds: number) => new Date(noon.getTime() + seconds * 1000);

describe.each(engines)('API keys on $engine', ({ open }) => {
  const opened = shared(open);

  it('are kept as a hash and four characters: the token is nowhere in the store', async () => {
    const { token } = await aProject(opened.store);
    const rows = await opened.database.all({ pieces: ['select * from api_keys'], values: [] });
    expect(JSON.stringify(rows)).not.toContain(token.slice(4, 30));
  });

  it('end with the second in which they expire', async () => {
    const { projectId } = await aProject(opened.store);
    const { key, token } = await at(noon, () =>
      createApiKey(opened.store, projectId, { name: 'short', expiresInSeconds: 60 }),
    );
    expect(await authenticate(opened.store.apiKeys, token, later(59))).toHaveProperty('id');
    expect(await authenticate(opened.store.apiKeys, token, later(60))).toBe('unknown');
    expect(await explain(opened.store.apiKeys, token)).toMatchObject({ refusal: 'expired', ended: { id: key.id } });
    await expect(at(later(60), () => rotateApiKey(opened.store, key.id, 60))).rejects.toThrow('expired');
  });

  it('end at once when they are revoked, and keep the first revocation', async () => {
    const { token, keyId } = await aProject(opened.store);
    const revoked = await at(noon, () => revokeApiKey(opened.store, keyId));
    expect(revoked.revoked_at).toBe('2026-01-01T12:00:00+00:00');
    expect(await authenticate(opened.store.apiKeys, token)).toBe('unknown');
    expect(await explain(opened.store.apiKeys, token)).toMatchObject({ refusal: 'revoked', ended: { id: keyId } });
    expect(await at(later(60), () => revokeApiKey(opened.store, keyId))).toEqual(revoked);
  });

  it('rotate with an overlap in which both work', async () => {
    const { projectId } = await aProject(opened.store);
    const old = await at(noon, () => createApiKey(opened.store, projectId, { name: 'CRM', scopes: ['members:read'] }));
    const rotated = await at(noon, () => rotateApiKey(opened.store, old.key.id, 3_600));
    expect(rotated.key).toMatchObject({ name: 'CRM', scopes: ['members:read'], expires_at: null });
    expect(await authenticate(opened.store.apiKeys, old.token, later(3_599))).toHaveProperty('id', old.key.id);
    expect(await authenticate(opened.store.apiKeys, old.token, later(3_600))).toBe('unknown');
    expect(await authenticate(opened.store.apiKeys, rotated.token, later(3_600))).toHaveProperty('id', rotated.key.id);
    await expect(at(noon, () => rotateApiKey(opened.store, old.key.id, 60))).rejects.toThrow(
      `rotate its successor, ${rotated.key.id}`,
    );
    expect((await at(noon, () => rotateApiKey(opened.store, rotated.key.id, 60))).key.expires_at).toBeNull();
  });

  it('that two rotate at once get one successor', async () => {
    const { keyId } = await aProject(opened.store);
    const rotations = [1, 2, 3].map(() => rotateApiKey(opened.store, keyId, 60));
    const settled = await Promise.allSettled(rotations);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const { project_id: projectId = '' } = (await opened.store.apiKeys.locate(keyId)) ?? {};
    expect(await opened.store.apiKeys.list(projectId)).toHaveLength(2);
  });

  it('rotate without living longer than they would have, the successor as long as they did', async () => {
    const { projectId } = await aProject(opened.store);
    const old = await at(noon, () => createApiKey(opened.store, projectId, { name: 'short', expiresInSeconds: 600 }));
    const rotated = await at(later(300), () => rotateApiKey(opened.store, old.key.id, 86_400));
    expect(rotated.replaced.expires_at).toBe(old.key.expires_at);
    expect(rotated.key.expires_at).toBe('2026-01-01T12:15:00+00:00');
  });

  it('get other scopes and keep their token, as long as they have not ended', async () => {
    const { token, keyId } = await aProject(opened.store);
    const updated = await updateApiKey(opened.store, keyId, ['events:read', 'contacts:read', 'contacts:read']);
    expect(updated.scopes).toEqual(['contacts:read', 'events:read']);
    expect(await authenticate(opened.store.apiKeys, token)).toEqual(updated);
    await revokeApiKey(opened.store, keyId);
    await expect(updateApiKey(opened.store, keyId, ['members:read'])).rejects.toThrow('create a new one');
    await expect(updateApiKey(opened.store, 'none', ['members:read'])).rejects.toThrow('no key');
  });

  it('are found by their token, also when they have ended, and with their state', async () => {
    const { projectId, token, keyId } = await aProject(opened.store);
    const find = async (one: string) => opened.store.apiKeys.locateByHash(hashToken(one));
    const expired = await createApiKey(opened.store, projectId, { name: 'old', expiresInSeconds: -1 });
    const states = async () => {
      const found = await Promise.all([find(token), find(expired.token)]);
      return found.map((key) => [key?.id, key && stateOf(key)]);
    };
    expect(await states()).toEqual([
      [keyId, 'active'],
      [expired.key.id, 'expired'],
    ]);
    await rotateApiKey(opened.store, keyId, 60);
    expect((await states())[0]).toEqual([keyId, 'rotated']);
    await revokeApiKey(opened.store, keyId);
    expect((await states())[0]).toEqual([keyId, 'revoked']);
    expect(await find(generateToken())).toBeUndefined();
  });

  it('of any form can be taken over, once', async () => {
    const { projectId } = await aProject(opened.store);
    const token = 'sk-legacy.0123/456+789=';
    await createApiKey(opened.store, projectId, { name: 'as before', token });
    expect(await authenticate(opened.store.apiKeys, token)).toMatchObject({ name: 'as before' });
    await expect(createApiKey(opened.store, projectId, { name: 'twice', token })).rejects.toThrow('known already');
    for (const bad of ['short', 'with space in the middle', 'ümläut-ümläut-ümläut', `rst_${'0'.repeat(36)}`]) {
      await expect(createApiKey(opened.store, projectId, { name: 'bad', token: bad })).rejects.toThrow('16 to 256');
    }
  });

  it('note their last uses, each at most every five minutes', async () => {
    const many = await Promise.all(Array.from({ length: 5 }, () => aProject(opened.store)));
    await opened.store.touchApiKeys(many.slice(1), '2026-01-01T12:00:00+00:00');
    const keys = await Promise.all(many.map(({ keyId }) => opened.store.apiKeys.locate(keyId)));
    expect(keys.map((key) => key?.last_used_at)).toEqual([null, ...Array(4).fill('2026-01-01T12:00:00+00:00')]);
    expect(keys.map((key) => key && touchDueAt(key))).toEqual([0, ...Array(4).fill(later(300).getTime())]);
    expect(await opened.store.apiKeys.list(many[1]?.projectId ?? '')).toEqual([keys[1]]);
  });

  it('of another project are not found, and stay as they are', async () => {
    const one = await aProject(opened.store);
    const other = await aProject(opened.store);
    const [actor, { keyId }] = [operator(other.projectId), one];
    for (const ask of [
      () => run(revokeApiKeyOperation, opened.store, actor, { keyId }),
      () => run(rotateApiKeyOperation, opened.store, actor, { keyId, overlap: '0s' }),
      () => run(updateApiKeyOperation, opened.store, actor, { keyId, scopes: ['events:read'] }),
    ]) {
      await expect(ask()).rejects.toMatchObject({ code: 'not_found', about: 'api_key' });
    }
    await opened.store.touchApiKeys([{ projectId: other.projectId, keyId: one.keyId }], '2026-01-01T12:00:00+00:00');
    expect(await opened.store.apiKeys.locate(one.keyId)).toMatchObject({
      revoked_at: null,
      last_used_at: null,
      scopes: defaultScopes,
    });
  });

  it('are made by nobody whose rights were taken away meanwhile', async () => {
    const { projectId, keyId } = await aProject(opened.store);
    // As the request was let in: the member is gone.
    const actor = { ...operator(projectId), type: 'member', id: 'gone' } as const;
    for (const make of [
      () => run(createApiKeyOperation, opened.store, actor, { name: 'late' }),
      () => run(rotateApiKeyOperation, opened.store, actor, { keyId, overlap: '0s' }),
      () => run(inviteMember, opened.store, actor, { email: 'late@example.com', roles: ['Admin'] }),
    ]) {
      await expect(make()).rejects.toMatchObject({ code: 'insufficient_scope' });
    }
    expect(await opened.store.apiKeys.list(projectId)).toHaveLength(1);
  });
});
