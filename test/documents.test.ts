import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { exitCodes } from '../src/cli/failures.ts';
import { exitMeanings } from '../src/cli/help.ts';
import { settings } from '../src/config/settings.ts';
import { jobs } from '../src/jobs/jobs.ts';
import { tools } from '../src/mcp/tools.ts';
import { givenRoles, roles } from '../src/members/member.ts';
import { scopes } from '../src/rights.ts';
import { aChatling, aFakeChatbot, fakeContacts } from './support/chatling.ts';
import { postgresDatabase, temporaryFolder } from './support/engines.ts';
import { listening } from './support/listening.ts';
import { blocksOf, textOf } from './support/markdown.ts';
import { anInstallation, aProjectThere, type Installation, serving } from './support/process.ts';
import { spawnProgram } from './support/program.ts';
import { type Scripted, scriptedServer } from './support/scripted-server.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const scripts = (JSON.parse(read('package.json')) as { scripts: Record<string, string> }).scripts;

/** The command lines of a document's shell blocks. */
function commandLines(file: string): string[] {
  return blocksOf(textOf(file), 'sh')
    .flatMap((block) => block.split('\n'))
    .map((line) => line.replace(/\s+#.*/, '').trim())
    .filter((line) => line !== '');
}

/** Words as a shell splits them; the only quotes that our documents use are double. */
const words = (line: string) =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

describe('a document', () => {
  const listed = (file: string, item: RegExp) => [...read(file).matchAll(item)].map(([, one = '']) => one).toSorted();

  it('lists all scopes and roles', () => {
    expect(listed('docs/keys-and-members.md', /^- `([a-z]+:[a-z]+)`/gm)).toEqual([...scopes].toSorted());
    expect(listed('docs/keys-and-members.md', /^- ([A-Z][a-z]+): (?:every scope|`)/gm)).toEqual(
      [...givenRoles].toSorted(),
    );
    expect(listed('docs/console.md', /^- ([A-Z][a-z]+): /gm)).toEqual([...roles].toSorted());
    expect(read('docs/spec-gaps.md')).toContain(`: ${roles.join(', ')};`);
  });

  it('lists all jobs', () => {
    expect(listed('docs/monitoring.md', /^- `([a-z-]+)`, every /gm)).toEqual(jobs.map(({ name }) => name).toSorted());
  });
});

/** Runs the commands of a document in their order, as `change` makes them; what they print. */
async function runAll(at: Installation, file: string, { change = (line: string) => line, env = {} } = {}) {
  const printed: string[] = [];
  for (const line of commandLines(file).map(change)) {
    for (const [, script = ''] of line.matchAll(/npm (?:run )?(?!ci|run|prune)(\w+)/g))
      expect(scripts, line).toHaveProperty(script);
    const [, folder] = /^mkdir -p (\S+)$/.exec(line) ?? [];
    if (folder !== undefined) mkdirSync(resolve(at.folder, folder), { recursive: true });
    const [, command = '', , input] = /^\.\/roster (.*?)( < (\S+)| > \S+)?$/.exec(line) ?? [];
    if (['', 'demo', 'serve'].includes(command)) continue;
    const given = input === undefined ? {} : { input: readFileSync(join(at.folder, input)) };
    const ended = await at.run(words(command), { env, ...given });
    expect([line, ended.code, ended.stderr]).toEqual([line, 0, expect.not.stringContaining('roster:')]);
    printed.push(ended.stdout);
  }
  return printed;
}

describe('docs/scaling.md', () => {
  it('shows commands that move everybody over, in the order in which they stand', async () => {
    await using at = await anInstallation();
    await aProjectThere({ ...at, databaseUrl: `sqlite:${join(at.folder, 'data/roster.db')}` });
    await using empty = await postgresDatabase('template0');
    const printed = await runAll(at, 'docs/scaling.md', { env: { DATABASE_URL: empty.url } });
    expect(printed.length).toBeGreaterThan(2);
  });
});

describe('docs/console.md', () => {
  it('shows commands that lead to a link for the Owner, and end their sessions', async () => {
    await using at = await anInstallation();
    const printed = await runAll(at, 'docs/console.md');
    expect(printed).toHaveLength(3);
    expect(printed.join('')).toMatch(/^link: +http:\/\/localhost:\d+\/sign-in#[0-9A-Za-z]{30}$/m);
    expect(printed.join('')).toMatch(/^sessions_ended: +0$/m);
  });
});

describe('docs/from-chatling.md', () => {
  it('shows five commands that lead from nothing to two equal sides', { timeout: 60_000 }, async () => {
    await using at = await anInstallation();
    await using fake = await aChatling({ chatbots: [aFakeChatbot('1000000001', fakeContacts(30))] });
    writeFileSync(join(at.folder, 'chatling-key.txt'), fake.key);
    const here = ` --base-url ${fake.baseUrl} --rate 60000`;
    const change = (line: string) => (line.includes(' chatling ') ? line + here : line);
    const printed = await runAll(at, 'docs/from-chatling.md', { change });
    expect(printed).toHaveLength(5);
    expect(printed.at(-1)).toMatch(/^equal: yes/);
  });
});

/** A project with people, a backup, and a key whose id is returned: what the commands of SECURITY.md are for. */
async function aLeak(at: Installation): Promise<string> {
  const { keyId } = await aProjectThere(at);
  await at.json(['backup', 'leaked-backup.db']);
  return keyId;
}

const fromNothing = ['docs/settings.md', 'docs/mcp.md'];
const withPeople = ['backups', 'contacts', 'import', 'keys-and-members', 'monitoring', 'operating', 'privacy'].map(
  (name) => `docs/${name}.md`,
);

describe.each([...fromNothing, ...withPeople, 'SECURITY.md'])('%s', (file) => {
  it('shows commands that work, in the order in which they stand', { timeout: 60_000 }, async () => {
    await using at = await anInstallation();
    cpSync(join(root, 'test/data'), join(at.folder, 'test/data'), { recursive: true });
    writeFileSync(join(at.folder, 'people.csv'), 'Name,Email\nAna,ana@example.com\n');
    writeFileSync(join(at.folder, 'team.csv'), 'Email,Role\nada@example.com,Owner\n');
    writeFileSync(join(at.folder, 'old-key.txt'), 'made-up-key-from-elsewhere\n');
    writeFileSync(join(at.folder, 'suspected-key.txt'), 'rst_zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17\n');
    const keyId = file === 'SECURITY.md' ? await aLeak(at) : '';
    if (withPeople.includes(file)) await aProjectThere(at);
    if (file === 'docs/privacy.md')
      await at.json(['contacts', 'create', '--chatbot', '8839210412', '--set', 'email=ana@example.com']);
    const change = (line: string) => line.replace('KEY_ID', keyId).replaceAll('~/', `${at.folder}/`);
    expect((await runAll(at, file, { change })).length).toBeGreaterThan(0);
  });
});

interface McpServers {
  [name: string]: { command?: string; args?: string[]; url?: string; headers?: Record<string, string> };
}

describe('docs/mcp.md', () => {
  it('configures three clients: one starts the program, two call the path with the key', () => {
    const configurations = blocksOf(textOf('docs/mcp.md'), 'json').map((block) => {
      const { mcpServers, servers } = JSON.parse(block) as { mcpServers?: McpServers; servers?: McpServers };
      return (mcpServers ?? servers)?.['roster'];
    });
    const ofPath = {
      url: 'http://127.0.0.1:8080/mcp',
      headers: { Authorization: expect.stringMatching(/^Bearer /) },
    };
    expect(configurations).toMatchObject([{ args: ['mcp', '--key-file', '/home/you/roster.key'] }, ofPath, ofPath]);
  });

  it('names every tool in its order, with the scope that it needs', () => {
    const rows = [...read('docs/mcp.md').matchAll(/^- `(\w+)` \(`([a-z]+:[a-z]+)`\): /gm)];
    expect(rows.map(([, name, scope]) => [name, scope])).toEqual(
      tools.map(({ name, operation }) => [name, operation.scope]),
    );
  });
});

describe('docs/clients.md', () => {
  it.skipIf(spawnSync('jq', ['--version']).error)(
    'shows a script that follows events: it waits after 429 and 503, and ends with advice on 410',
    async () => {
      const [script = ''] = blocksOf(textOf('docs/clients.md'), 'bash');
      const page = (sequence: string): Scripted => ({
        status: 200,
        body: { data: { events: [{ sequence }], next_cursor: `c${sequence}` } },
      });
      using folder = temporaryFolder();
      const busy = (status: number): Scripted => ({ status, headers: { 'retry-after': '1' } });
      using server = await scriptedServer(page('1'), busy(503), busy(429), page('2'), { status: 410 });
      const { code, stdout, stderr } = await spawnProgram(
        'bash',
        ['-c', script.replace('http://127.0.0.1:8080', server.address)],
        { cwd: folder.path, env: { TOKEN: 'rst_x' } },
      ).ended;
      expect([code, stdout]).toEqual([1, '{"sequence":"1"}\n{"sequence":"2"}\n']);
      expect(stderr).toMatch(/410[^]*read everybody again/);
      const after = server.asked.map(({ url }) => /wait=20&after=(.*)$/.exec(url)?.[1]);
      expect(after).toEqual(['*', 'c1', 'c1', 'c1', 'c2']);
      expect(readFileSync(join(folder.path, 'cursor'), 'utf8')).toBe('c2\n');
    },
  );
});

/** A web server that runs a CGI script for each request. */
async function runningCgi(file: string, cwd: string, secret: () => string) {
  const requests: { headers: Record<string, string>; body: string }[] = [];
  const statuses: number[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = (await request.setEncoding('utf8').toArray()).join('');
    const { host: _, connection: __, ...headers } = request.headers as Record<string, string>;
    requests.push({ headers, body });
    const env = Object.fromEntries(
      Object.entries(headers).map(([name, text]) => [`HTTP_${name.toUpperCase().replaceAll('-', '_')}`, text]),
    );
    const bytes = Buffer.from(body);
    const { stdout } = spawnSync('bash', [file], {
      cwd,
      env: { ...env, PATH: process.env['PATH'], CONTENT_LENGTH: String(bytes.length), SECRET: secret() },
      input: bytes,
      encoding: 'utf8',
    });
    const status = Number(/^Status: (\d+)\r\n/.exec(stdout)?.[1] ?? 500);
    statuses.push(status);
    response.writeHead(status).end();
  };
  const server = createServer((request, response) => void answer(request, response));
  return Object.assign(await listening(server), { requests, statuses });
}

describe('docs/connect.md', () => {
  const isMissing = ['jq', 'openssl'].some((name) => spawnSync(name, ['version']).error !== undefined);
  it.skipIf(isMissing)(
    'shows commands that make a webhook and ask for events, and a script that takes what it is sent, once it is signed',
    async () => {
      await using at = await anInstallation();
      await aProjectThere(at);
      const scopes = ['webhooks:write', 'contacts:read', 'events:read'].flatMap((scope) => ['--scope', scope]);
      const { token } = await at.json<{ token: string }>([
        'keys',
        'create',
        '--project',
        'acme',
        '--name',
        'CRM',
        ...scopes,
      ]);
      const [script = ''] = blocksOf(textOf('docs/connect.md'), 'bash');
      const [create = '', poll = ''] = blocksOf(textOf('docs/connect.md'), 'sh').map((one) =>
        one.replace(/^export.*\n/, ''),
      );
      writeFileSync(join(at.folder, 'receive.sh'), script);
      let secret = '';
      using receiver = await runningCgi(join(at.folder, 'receive.sh'), at.folder, () => secret);
      const { address } = await serving(at, { ROSTER_WEBHOOK_ALLOW: '127.0.0.1' });
      const shell = async (line: string) => {
        const env = { ROSTER: address, TOKEN: token, PATH: process.env['PATH'] ?? '' };
        const { code, stdout } = await spawnProgram('bash', ['-c', line.replace('curl ', 'curl -fsS ')], {
          cwd: at.folder,
          env,
        }).ended;
        expect([line, code]).toEqual([line, 0]);
        return JSON.parse(stdout) as { data: { secret: string; events: { type: string }[] } };
      };
      secret = (await shell(create.replace('https://example.com/hooks/roster', receiver.address))).data.secret;
      await at.json(['contacts', 'create', '--chatbot', '8839210412', '--set', 'name=Ana\u2028Ruiz']);
      const noted = () =>
        existsSync(join(at.folder, 'events.tsv')) ? readFileSync(join(at.folder, 'events.tsv'), 'utf8') : '';
      await expect.poll(noted).toMatch(/^\d+\tcontact\.created\t\S+\n$/);
      expect(receiver.statuses).toEqual([204]);
      const first = receiver.requests[0] ?? { headers: {}, body: '' };
      const again = async (headers: Record<string, string>, body = first.body) =>
        (await fetch(receiver.address, { method: 'POST', headers: { ...first.headers, ...headers }, body })).status;
      expect(await again({})).toBe(204);
      expect(await again({ 'webhook-signature': `v1,other ${first.headers['webhook-signature']}` })).toBe(204);
      expect(await again({ 'webhook-signature': 'v1,*' })).toBe(401);
      expect(await again({}, first.body.replace('created', 'deleted'))).toBe(401);
      expect(await again({ 'webhook-id': 'another' })).toBe(401);
      expect(await again({ 'webhook-timestamp': '1700000000' })).toBe(401);
      expect(await again({ 'webhook-timestamp': 'a[$(touch planted)]' })).toBe(400);
      expect(existsSync(join(at.folder, 'planted'))).toBe(false);
      const types = new Set((await shell(poll)).data.events.map(({ type }) => type));
      expect(types).toEqual(new Set(['contact.created']));
    },
  );
});

describe('docs/acceptance.md', () => {
  it('shows command lines that the suite takes', () => {
    const help = execFileSync(process.execPath, [join(root, 'acceptance/main.ts'), '--help'], {
      encoding: 'utf8',
    });
    const lines = commandLines('docs/acceptance.md');
    expect(lines.length).toBeGreaterThan(3);
    for (const line of lines) {
      const [, profile = 'core', options = ''] = /^npm run accept(?: -- (\w+)(.*))?$/.exec(line) ?? [];
      expect([line, help]).toEqual([line, expect.stringContaining(`"${profile}"`)]);
      for (const [option] of options.matchAll(/--[\w-]+/g)) expect(help).toContain(`${option} <`);
    }
  });
});

/** The anchors that GitHub gives to the headings of a document. */
const headingsOf = (file: string) =>
  Array.from(read(file).matchAll(/^#+ (.*)$/gm), ([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\d _-]/gu, '')
      .replaceAll(' ', '-'),
  );

describe('the documents', () => {
  const files = globSync(['*.md', 'docs/**/*.md', 'deploy/*.md', 'test/data/**/*.md'], { cwd: root });

  it.each(files)('%s links to files and headings that exist', (file) => {
    for (const [, target = '', heading] of read(file).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)) {
      const path = join(dirname(file), target);
      expect([target, existsSync(join(root, path))]).toEqual([target, true]);
      if (heading)
        expect([target, headingsOf(target ? path : file)]).toEqual([target, expect.arrayContaining([heading])]);
    }
  });

  it('name proofs that exist', () => {
    for (const [path] of read('docs/guarantees.md').matchAll(/test\/[\w/.-]+\.ts/g)) {
      expect([path, existsSync(join(root, path))]).toEqual([path, true]);
    }
  });

  it('name commands that exist', () => {
    const help = read('test/cli/golden/help.txt');
    const commands = new Set(
      Array.from(help.matchAll(/^Usage: roster ([a-z]+ [a-z-]+) /gm), ([, words = '']) => words),
    );
    const groups = new Set(Array.from(commands, (words) => words.split(' ')[0]));
    const named = files.flatMap((file) =>
      Array.from(read(file).matchAll(/`(?:\.\/)?(?:roster )?([a-z]+) ([a-z-]+)(?=[` ])/g), ([, group, name]) => ({
        file,
        group,
        command: `${group} ${name}`,
      })),
    );
    const ofRoster = named.filter(({ group }) => groups.has(group));
    expect(ofRoster.length).toBeGreaterThan(50);
    expect(ofRoster.filter(({ command }) => !commands.has(command) && !command.endsWith(' help'))).toEqual([]);
  });

  it('export no variable that every command would reject as an unknown setting', () => {
    const known = Object.values(settings).map(({ variable }) => variable);
    for (const [, variable] of files
      .map(read)
      .join('\n')
      .matchAll(/^export (ROSTER_\w+)=/gm))
      expect(known).toContain(variable);
  });

  it('list every setting with its default and its meaning', () => {
    const table = read('docs/settings.md').replaceAll('`', '').replaceAll(/ +/g, ' ');
    for (const { variable, fallback, meaning } of Object.values(settings))
      expect(table).toContain(`| ${variable} | ${fallback || 'empty'} | ${meaning}`);
  });

  it('list every exit code with its meaning', () => {
    const page = read('docs/operating.md');
    const rows = Object.entries(exitMeanings).map(([name, meaning]) => [
      exitCodes[name as keyof typeof exitCodes],
      meaning,
    ]);
    for (const [code, meaning] of rows) expect(page).toContain(`\n- ${code}: ${meaning}`);
  });

  it('show answers that the service gives: the body of the README has the fields of the document', () => {
    const { components } = JSON.parse(read('openapi.json')) as {
      components: { schemas: Record<string, { required: string[] }> };
    };
    const [contact] = blocksOf(textOf('README.md'), 'json').map((body) => JSON.parse(body) as { data: object });
    expect(Object.keys(contact?.data ?? {})).toEqual(components.schemas['Contact']?.required);
  });
});
