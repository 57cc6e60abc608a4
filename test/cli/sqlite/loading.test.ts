import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { freePort } from '../../support/free-port.ts';
import { anInstallation, aProjectThere, type Installation, serving, stop } from '../../support/process.ts';

const hook = new URL('../../support/note-loaded.ts', import.meta.url).href;

function noting(at: Installation) {
  const file = join(at.folder, 'loaded.txt');
  const text = () => readFileSync(file, 'utf8');
  /** The files whose code is in the loaded parts of the program, which name each before its code. */
  const sources = () =>
    [...text().matchAll(/^file:\/\/(\S+\/dist\/\S+)$/gm)].flatMap(([, part = '']) =>
      Array.from(
        readFileSync(part, 'utf8').matchAll(/^\/\/ ((?:src|node_modules)\/\S+)$/gm),
        ([, source = '']) => source,
      ),
    );
  return {
    env: { NODE_OPTIONS: `--import=${hook}`, NOTE_LOADED: file },
    text,
    /** Our own files, by their paths in src/. */
    files: () => sources().flatMap((source) => (source.startsWith('src/') ? [source.slice('src/'.length)] : [])),
    packages: () => {
      const found = sources().map((source) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1] ?? []);
      return [...new Set(found.flat())];
    },
  };
}

describe('what a command loads', () => {
  it('for --version is no command and no package', async () => {
    await using at = await anInstallation();
    const noted = noting(at);
    expect((await at.run(['--version'], noted)).code).toBe(0);
    expect(noted.packages()).toEqual([]);
    expect(noted.files().toSorted()).toEqual(['main.ts', 'version.ts']);
  });

  it('for keys create is no server, no file format and no other engine', async () => {
    await using at = await anInstallation();
    await aProjectThere(at);
    const noted = noting(at);
    await at.json(['keys', 'create', '--project', 'acme', '--name', 'one'], noted);
    expect(noted.packages()).toEqual(['commander', 'uuid']);
    expect(noted.files()).toContain('database/sqlite/sqlite.ts');
    expect(noted.files().filter((file) => /^(http|files|database\/postgres)\//.test(file ?? ''))).toEqual([]);
  });

  it('for serve is nothing that its settings switch off, and no compiler of schemas', async () => {
    await using at = await anInstallation();
    const noted = noting(at);
    const server = await serving(at, noted.env);
    expect((await fetch(`${server.address}/readyz`)).status).toBe(200);
    await stop(server);
    const loaded = noted.packages();
    expect(loaded).toContain('find-my-way');
    const late = ['@redis/client', 'pg', 'pino-pretty', 'prom-client', '@opentelemetry/api', 'ajv'];
    for (const name of [...late, '@modelcontextprotocol/server', 'zod']) expect(loaded).not.toContain(name);
    expect(noted.files()).not.toContain('mcp/endpoint.ts');
    // Node's own fetch and WebSockets.
    expect(noted.text()).toContain('NativeModule http\n');
    expect(noted.text()).not.toContain('undici');
  });

  it('for the metrics of serve is nothing that sends them elsewhere', async () => {
    await using at = await anInstallation();
    const noted = noting(at);
    const server = await serving(at, { ...noted.env, ROSTER_METRICS_PORT: String(await freePort()) });
    await stop(server);
    expect(noted.packages()).toContain('prom-client');
    expect(noted.packages()).not.toContain('@opentelemetry/api');
  });
});
