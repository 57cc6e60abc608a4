import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';

import { operator } from '../../../src/actor.ts';
import { openCurrentStore } from '../../../src/cli/open.ts';
import { run } from '../../../src/operation.ts';
import { scopes } from '../../../src/rights.ts';
import { createSignInLink } from '../../../src/sign-in/link.ts';
import { everyOperation, makeThings, requestOf } from '../../support/every-operation.ts';
import { freePort } from '../../support/free-port.ts';
import { aClient, useEveryTool } from '../../support/mcp.ts';
import { aContact, aMember, aProject } from '../../support/people.ts';
import { anInstallation, linesOf, stop } from '../../support/process.ts';
import { addressOf, nodeArguments } from '../../support/program.ts';

const dist = fileURLToPath(new URL('../../../dist/', import.meta.url));

/** Runs `serve` from a copy of the program, and deletes every file of it as soon as it listens. */
async function servingWithoutFiles() {
  const at = await anInstallation();
  const store = await openCurrentStore(at.databaseUrl);
  const contacts = [aContact({ id: 'contact-1', name: 'Zoë' })];
  const [members, ofMcp] = [[aMember({ roles: ['Owner'] })], await aProject(store, { scopes: [...scopes] })];
  const project = await aProject(store, { scopes: [...scopes], chatbotId: 'shop', contacts, members });
  const copy = join(at.folder, 'program');
  cpSync(dist, copy, { recursive: true });
  const metricsPort = await freePort();
  const command = [process.execPath, ...nodeArguments(join(copy, 'main.js'))].join(' ');
  const server = at.startUnder('/bin/sh', ['-c', `exec ${command} serve`], {
    ROSTER_METRICS_PORT: String(metricsPort),
    ROSTER_RATE_LIMIT: '0',
    ROSTER_WEBHOOK_ALLOW: '127.0.0.1',
    ROSTER_BACKUP_DIR: join(at.folder, 'backups'),
  });
  const address = await addressOf(server);
  rmSync(copy, { recursive: true });
  const [member] = (await store.members.list(project.projectId, {}, 1, 0)).members;
  const actor = operator(project.projectId);
  const linked = await run(createSignInLink, store, actor, { memberId: member?.id ?? '' }, { publicUrl: address });
  const signInToken = linked.output.url.split('#')[1] ?? '';
  await store[Symbol.asyncDispose]();
  return {
    at,
    server,
    address,
    metricsPort,
    project,
    ofMcp,
    signInToken,
    [Symbol.asyncDispose]: () => at[Symbol.asyncDispose](),
  };
}

describe('a service whose program is deleted', () => {
  it('answers every operation, tool and page as before, and makes its backup', async () => {
    await using one = await servingWithoutFiles();
    const { at, server, address, metricsPort, project, ofMcp } = one;
    const headers = { authorization: `Bearer ${project.token}`, 'content-type': 'application/json' };
    const ask = async (method: string, url: string, payload?: object) => {
      const answer = await fetch(address + url, { method, headers, ...(payload && { body: JSON.stringify(payload) }) });
      return { status: answer.status, json: (await answer.json()) as { data?: unknown } };
    };
    const things = await makeThings(async (...asked) => (await ask(...asked)).json.data, 'shop');
    for (const operation of everyOperation) {
      const { method, url, payload } = requestOf(operation, things);
      const { status, json } = await ask(method, url, payload);
      expect(operation.successes, JSON.stringify([operation.operationId, json])).toContain(String(status));
    }

    const client = aClient();
    const requestInit = { headers: { authorization: `Bearer ${ofMcp.token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${address}/mcp`), { requestInit }));
    await useEveryTool(client, ofMcp.chatbotId);
    await client.close();

    for (const path of ['/sign-in', '/join', '/setup', '/console', '/console/contacts']) {
      expect(await (await fetch(address + path)).text()).toBe(readFileSync(join(dist, 'console/index.html'), 'utf8'));
    }
    for (const name of readdirSync(join(dist, 'console/assets')).filter((file) => !/\.(br|gz)$/.test(file))) {
      const answer = await fetch(`${address}/console/assets/${name}`);
      expect([name, await answer.bytes()]).toEqual([
        name,
        new Uint8Array(readFileSync(join(dist, 'console/assets', name))),
      ]);
    }
    for (const path of [
      '/docs',
      '/docs/openapi.json',
      '/docs/js/scalar.js',
      '/openapi.json',
      '/llms.txt',
      '/favicon.ico',
    ]) {
      const answers = ['br', 'gzip', 'identity'].map((accepted) =>
        fetch(address + path, { headers: { 'accept-encoding': accepted } }),
      );
      const [br, ...others] = await Promise.all(
        (await Promise.all(answers)).map(async (answer) => [answer.status, await answer.text()]),
      );
      expect([path, br]).toEqual([path, [200, expect.stringMatching(/./)]]);
      for (const other of others) expect(other).toEqual(br);
    }
    expect((await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).status).toBe(200);

    const post = async (path: string, body: object, cookie = '') => {
      const headers = { origin: address, 'content-type': 'application/json', cookie };
      return fetch(`${address}/console/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    };
    const signedIn = await post('/sign-in/link', { token: one.signInToken });
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
    expect((await post('/passkeys/options', {}, cookie)).status).toBe(200);

    await expect.poll(() => readdirSync(join(at.folder, 'backups'))).toContainEqual(expect.stringMatching(/\.db$/));
    expect((await stop(server)).stderr).toBe('');
    expect(linesOf(server).filter(({ level }) => level === 'error' || level === 'fatal')).toEqual([]);
  });
});
