import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { anInstallation, aProjectThere, linesOf, serving, stop } from '../support/process.ts';

describe('roster serve', () => {
  it('reads LOG_LEVEL again from its file at SIGHUP, and goes on', async () => {
    await using at = await anInstallation();
    await aProjectThere(at);
    const file = join(at.folder, 'roster.env');
    writeFileSync(file, 'LOG_LEVEL=info\n');
    const server = await serving(at, { ROSTER_ENV_FILE: file });
    const ask = async (id: string) =>
      (await fetch(`${server.address}/v2/key`, { headers: { 'x-request-id': id } })).text();
    await ask('before');
    writeFileSync(file, 'LOG_LEVEL=warn\n');
    server.child.kill('SIGHUP');
    // At warn nothing tells that the level has changed, so the next change does.
    await pause(100);
    await ask('between');
    writeFileSync(file, 'LOG_LEVEL=loud\n');
    server.child.kill('SIGHUP');
    await server.until(/LOG_LEVEL stays as it was/);
    writeFileSync(file, 'LOG_LEVEL=info\n');
    server.child.kill('SIGHUP');
    await server.until(/LOG_LEVEL was read again/);
    await ask('after');
    await stop(server);
    expect(linesOf(server).flatMap(({ request_id: id }) => id ?? [])).toEqual(['before', 'after']);
  });

  it('logs one JSON line an answer: ids, route, status and duration, and nothing personal', async () => {
    await using at = await anInstallation();
    const { token, keyId } = await aProjectThere(at);
    const server = await serving(at);
    const headers = { authorization: `Bearer ${token}`, 'x-request-id': 'req-1', cookie: 'planted=1' };
    await fetch(`${server.address}/v2/chatbots/8839210412/contacts/planted-id?email=planted@example.com`, {
      headers,
    });
    await fetch(`${server.address}/planted-path?token=${token}`);
    await fetch(`${server.address}/v2/members?email=planted@example.com&page=planted`, { headers });
    const { stdout } = await stop(server);
    const [first, second] = linesOf(server).filter(({ msg }) => msg === 'answered');
    expect(first).toMatchObject({
      level: 'info',
      request_id: 'req-1',
      key_id: keyId,
      project_id: 'acme',
      method: 'GET',
      route: '/v2/chatbots/:chatbotId/contacts/:contactId',
      status: 404,
      code: 'not_found',
      duration_ms: expect.any(Number),
    });
    expect(second).toMatchObject({ route: null, status: 404, code: 'unknown_path' });
    expect(stdout).not.toContain('planted');
    expect(stdout.replace(/serving the [^"]+/, '').replace(/listening at \S+/, '')).not.toContain('127.0.0.1');
    expect(stdout).not.toContain(token);
    expect(stdout).not.toContain(token.slice(4, 20));
  });

  it('warns at the start of a new database, of plain HTTP that others can reach, and of links that they cannot open', async () => {
    await using at = await anInstallation();
    const server = await serving(at, { HOST: '0.0.0.0' });
    expect(server.address).toMatch(/^http:\/\/0\.0\.0\.0:\d+$/);
    await stop(server);
    const warnings = linesOf(server).filter(({ level }) => level === 'warn');
    expect(warnings[0]?.['msg']).toMatch(/^serving .*, which is new and empty$/);
    expect(warnings.map(({ msg }) => msg)).toContainEqual(expect.stringMatching(/plain HTTP .* HOST/));
    expect(warnings.map(({ msg }) => msg)).toContainEqual(expect.stringMatching(/^links .*; set ROSTER_PUBLIC_URL/));
  });

  it('shows when a key was last used, holds it to the scopes that another process gave it, and refuses it once revoked', async () => {
    await using at = await anInstallation();
    const { token, keyId } = await aProjectThere(at);
    const server = await serving(at);
    const ask = async () =>
      (await fetch(`${server.address}/v2/members`, { headers: { authorization: `Bearer ${token}` } })).status;
    expect(await ask()).toBe(200);
    const lastUse = async () =>
      (await at.json<{ last_used_at: string | null }[]>(['keys', 'list', '--project', 'acme']))[0]?.last_used_at;
    await expect.poll(lastUse, { timeout: 5_000 }).toMatch(/^\d{4}-.*\+00:00$/);
    await at.json(['keys', 'update', keyId, '--scope', 'contacts:read']);
    expect(await ask()).toBe(403);
    await at.json(['keys', 'revoke', keyId]);
    expect(await ask()).toBe(401);
    const refused = () => linesOf(server).flatMap(({ status, key_id: id }) => (status === 401 ? [id] : []));
    await expect.poll(refused).toContain(keyId);
    expect((await stop(server, 'SIGINT')).stderr).toBe('');
  });
});
