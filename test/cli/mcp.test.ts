import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openCurrentStore } from '../../src/cli/open.ts';
import { scopes } from '../../src/rights.ts';
import { aClient, call, done, revisions, useEveryTool } from '../support/mcp.ts';
import { aProject, createProject } from '../support/people.ts';
import { anInstallation, type Installation, stop } from '../support/process.ts';
import { programCommand } from '../support/program.ts';

let at: Installation;
beforeAll(async () => {
  at = await anInstallation();
  await using store = await openCurrentStore(at.databaseUrl);
  await createProject(store, { name: 'Example Ltd', id: 'acme' });
});
afterAll(() => at[Symbol.asyncDispose]());

/** A key of a project of its own, in a file. */
async function aKeyFile(name: string) {
  await using store = await openCurrentStore(at.databaseUrl);
  const { token, keyId, chatbotId } = await aProject(store, { scopes: [...scopes] });
  const file = join(at.folder, name);
  writeFileSync(file, `${token}\n`);
  return { file, keyId, chatbotId };
}

async function connected(client: Client, file: string, env: Record<string, string> = {}): Promise<() => string> {
  const [command, ...args] = programCommand();
  const transport = new StdioClientTransport({
    command,
    args: [...args, 'mcp', '--key-file', file],
    env: { PATH: process.env['PATH'] ?? '', DATABASE_URL: at.databaseUrl, ...env },
    cwd: at.folder,
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk: Buffer) => (stderr += String(chunk)));
  await client.connect(transport);
  return () => stderr;
}

describe.each(revisions)('roster mcp with the official client of $revision', ({ revision, mode }) => {
  it('uses every tool as its key, notes that it was used, and says nothing else', async () => {
    const { file, keyId, chatbotId } = await aKeyFile(`${revision}.txt`);
    const client = aClient(mode);
    const stderr = await connected(client, file);
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    await useEveryTool(client, chatbotId);
    await client.close();
    expect(stderr()).toBe('');
    const keys = await at.json<{ id: string; last_used_at: string | null }[]>(['keys', 'list']);
    expect(keys.find(({ id }) => id === keyId)?.last_used_at).not.toBeNull();
  });
});

const hello = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const aCall = (id: number, name: string, args = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});
interface Answer {
  tools?: { name: string }[];
  content?: { text: string }[];
}

/** The answers to these messages, by their ids, of a program whose stdin ends after them. */
async function piped(file: string, messages: (object | string)[], env: Record<string, string> = {}) {
  const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
  const input = linesOf(hello, initialized, ...messages);
  const ended = await at.run(['mcp', '--key-file', join(at.folder, file)], { input, env });
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  const lines = ended.stdout.trimEnd().split('\n');
  return new Map(
    lines.map((line) => {
      const { id, result } = JSON.parse(line) as { id: number; result: Answer };
      return [id, result];
    }),
  );
}
const linesOf = (...messages: (object | string)[]) =>
  messages.map((one) => `${typeof one === 'string' ? one : JSON.stringify(one)}\n`).join('');

describe('roster mcp', () => {
  it('answers all that it was asked before stdin closed, one JSON object a line, and then ends', async () => {
    await aKeyFile('piped.txt');
    const calls = [2, 3, 4, 5].map((id) => aCall(id, 'list_chatbots'));
    const answers = await piped('piped.txt', ['no JSON', ...calls]);
    expect([...answers.keys()].toSorted((one, other) => one - other)).toEqual([1, 2, 3, 4, 5]);
    for (const { id } of calls) expect(answers.get(id)).toHaveProperty('structuredContent');
  });

  it('refuses each call once its key has ended, and one call too many', async () => {
    const { file, keyId, chatbotId } = await aKeyFile('ending.txt');
    const client = aClient();
    const stderr = await connected(client, file, { ROSTER_RATE_LIMIT: '2' });
    const there = { chatbot_id: chatbotId };
    await done(client, 'list_recent_people', there);
    const answers = [await call(client, 'list_recent_people', there), await call(client, 'list_recent_people', there)];
    const limited = answers.filter(({ isError }) => isError);
    expect(limited.map(({ text }) => text).join()).toMatch(
      /^Error rate_limited: Too many requests\.\nWhat to do: Wait \d+ s/,
    );
    await at.json(['keys', 'revoke', keyId]);
    // PostgreSQL may remember the key for three seconds.
    await expect.poll(async () => (await call(client, 'list_recent_people', there)).text).toContain('unauthenticated');
    await expect(client.listTools()).rejects.toThrow('The API key is unknown, revoked or expired');
    await client.close();
    expect(stderr()).toBe('');
  });

  it('says before that a person would be gone for good, where there is no bin', async () => {
    const { chatbotId } = await aKeyFile('no-bin.txt');
    const target = ['--chatbot', chatbotId, '--set', 'name=Bo'];
    const { id } = await at.json<{ id: string }>(['contacts', 'create', ...target]);
    const args = { chatbot_id: chatbotId, contact_id: id };
    const answers = await piped('no-bin.txt', [aCall(2, 'delete_person', args)], { ROSTER_BIN_DAYS: '0' });
    expect(answers.get(2)?.content?.[0]?.text).toContain('The person would be deleted for good.');
  });

  it('ends at a signal', async () => {
    const { file } = await aKeyFile('signal.txt');
    const running = at.start(['mcp', '--key-file', file]);
    running.child.stdin?.write(linesOf(hello));
    await running.until(/"serverInfo"/);
    expect((await stop(running)).stderr).toBe('');
  });
});
