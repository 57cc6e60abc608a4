/**
 * Runs the conformance suite of the Model Context Protocol against the built program, and compares what fails with the
 * exceptions that are named here: nothing else may fail, and no exception may be left that no longer does.
 */
import { mkdtempDisposableSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { spawnProgram } from '../test/support/program.ts';
import { type Demo, startDemo } from './support/demo.ts';

const revision = '2026-07-28';
const suite = join(import.meta.dirname, '../tooling/node_modules/@modelcontextprotocol/conformance/dist/index.js');

/** Why a check of a scenario cannot pass. */
const exceptions: readonly (readonly [reason: string, failing: RegExp])[] = [
  [
    'no tool answers with pictures, sounds, embedded resources or progress',
    /^tools-call-(image|audio|embedded-resource|mixed-content|with-progress) /,
  ],
  ['there are no resources', /^(resources-|sep-2164-resource-not-found |caching sep-2549-resources-)/],
  ['there are no prompts', /^(prompts-|caching sep-2549-prompts-)/],
  ['nothing is completed', /^completion-complete /],
  ['no tool asks its caller back', /^input-required-result-/],
  [
    'the suite asks a tool of its own fixture, which needs a capability, streams or logs',
    /^server-stateless sep-2575-(server-rejects-undeclared-capability|missing-capability-http-400|http-server-no-independent-requests-on-stream|server-no-log-without-loglevel)$/,
  ],
  ['not scored: there are no tasks', /^tasks-/],
  [
    'not scored: the suite asks a tool of its own fixture',
    /^(http-custom-header-server-validation|json-schema-2020-12) /,
  ],
];

/** Tools of the suite’s fixture, and tools of ours that answer in the same way. */
const stands: Readonly<Record<string, { name: string; arguments: object }>> = {
  test_simple_text: { name: 'list_chatbots', arguments: {} },
  test_error_handling: { name: 'get_person', arguments: { chatbot_id: 'none', contact_id: 'nobody' } },
};

using folder = mkdtempDisposableSync(join(tmpdir(), 'roster-conformance-'));
await using demo = await startDemo({ TMPDIR: folder.path, ROSTER_RATE_LIMIT: '0' });
process.exitCode = await judge(await startRelay(demo));

/** The suite cannot send a key, so it goes through here. Returns the URL. */
async function startRelay({ address, token }: Demo): Promise<string> {
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.once('end', () => {
      const { body, name } = ours(Buffer.concat(chunks).toString());
      const { 'content-length': _, 'transfer-encoding': __, ...headers } = incoming.headers;
      const sent = { ...headers, ...(name !== undefined && { 'mcp-name': name }), authorization: `Bearer ${token}` };
      const onward = request(`${address}/mcp`, { method: incoming.method, headers: sent }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      onward.end(body);
    });
  });
  server.unref();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return `http://localhost:${(server.address() as AddressInfo).port}/mcp`;
}

/** A message with our tool in place of the fixture’s. */
function ours(body: string): { body: string; name?: string } {
  try {
    const message = JSON.parse(body) as { method?: string; params?: { name?: string } };
    const stand = message.method === 'tools/call' ? stands[message.params?.name ?? ''] : undefined;
    if (!stand) return { body };
    return { body: JSON.stringify({ ...message, params: { ...message.params, ...stand } }), name: stand.name };
  } catch {
    return { body };
  }
}

async function judge(url: string): Promise<number> {
  const results = join(folder.path, 'results');
  const args = ['server', '--url', url, '--requirements', revision, '-o', results];
  await spawnProgram(process.execPath, [suite, ...args], { env: { TMPDIR: folder.path } }).ended;
  const checks = checksIn(results);
  const failing = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING').map(({ name }) => name);
  const unforeseen = failing.filter((name) => !exceptions.some(([, one]) => one.test(name)));
  const stale = exceptions.filter(([, one]) => !failing.some((name) => one.test(name)));
  for (const name of unforeseen) console.log(`failed: ${name}`);
  for (const [reason] of stale) console.log(`no longer an exception: ${reason}`);
  const passed = checks.filter(({ status }) => status === 'SUCCESS').length;
  console.log(`${revision}: ${passed} checks passed, ${failing.length - unforeseen.length} are exceptions:`);
  for (const [reason, one] of exceptions) console.log(`  ${failing.filter((name) => one.test(name)).length} ${reason}`);
  return passed > 0 && unforeseen.length + stale.length === 0 ? 0 : 1;
}

/** Every check that was run, as `scenario check`. */
function checksIn(results: string): { name: string; status: string }[] {
  return readdirSync(results).flatMap((entry) => {
    const scenario = entry.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '');
    const checks = JSON.parse(readFileSync(join(results, entry, 'checks.json'), 'utf8')) as {
      id: string;
      status: string;
    }[];
    return checks.map(({ id, status }) => ({ name: `${scenario} ${id}`, status }));
  });
}
