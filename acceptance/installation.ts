import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { administer, databaseUrl, type PostgresServer, startPostgres } from '../test/support/postgres.ts';
import { addressOf, type Ended, nodeArguments, type Running, spawnProgram } from '../test/support/program.ts';
import type { Engine } from './guarantee.ts';

/** The program as shipped, with a folder and a database of its own. Disposing of it kills what still runs. */
export interface Installation extends AsyncDisposable {
  engine: Engine;
  folder: string;
  databaseUrl: string;
  /** The file of the database; '' on PostgreSQL. */
  file: string;
  /** Runs a command line to its end, whatever that is. */
  run(args: readonly string[], given?: Given): Promise<Ended>;
  /** Runs it with --json, and returns the document; throws where the command fails. */
  json<T>(args: readonly string[], given?: Given): Promise<T>;
  /** Starts a command that goes on. */
  start(args: readonly string[], env?: Record<string, string>): Running;
  /** `serve`, listening. */
  serve(env?: Record<string, string>): Promise<Served>;
}

export interface Given {
  input?: string | Buffer;
  env?: Record<string, string>;
}

export interface Served extends Running {
  /** `http://127.0.0.1:PORT`. */
  address: string;
  port: number;
  pid: number;
}

/** Where to ask, and as whom. */
export interface Target {
  address: string;
  /** As a Host header has it. */
  host: string;
  /** Without the port. */
  hostname: string;
  port: number;
  token: string;
  /** Paths that this token gets 200 for. */
  paths: readonly string[];
  /** The installation behind it; undefined where it is somebody's own. */
  served?: Served;
  installation?: Installation;
}

/** A PostgreSQL for all installations of a run, started when the first asks for it. */
export interface PostgresOfRun extends AsyncDisposable {
  server(): Promise<PostgresServer>;
}

export function postgresOfRun(): PostgresOfRun {
  let started: Promise<PostgresServer> | undefined;
  return {
    server: () => (started ??= startPostgres()),
    [Symbol.asyncDispose]: async () => {
      const server = await started?.catch(() => undefined);
      await server?.[Symbol.asyncDispose]();
    },
  };
}

let databases = 0;

/** An empty database, not migrated. */
export async function install(engine: Engine, postgres: Pick<PostgresOfRun, 'server'>): Promise<Installation> {
  const folder = mkdtempSync(join(tmpdir(), 'roster-accept-'));
  const file = engine === 'SQLite' ? join(folder, 'roster.db') : '';
  const place = engine === 'SQLite' ? `sqlite:${file}` : await newDatabase(postgres);
  const children = new Set<Running>();
  const start: Installation['start'] = (args, env = {}) => {
    const running = spawnProgram(process.execPath, [...nodeArguments(), ...args], {
      cwd: folder,
      env: { DATABASE_URL: place, TMPDIR: folder, ...env },
    });
    children.add(running);
    void running.ended.then(() => children.delete(running));
    return running;
  };
  const run: Installation['run'] = async (args, { input, env } = {}) => {
    const running = start(args, env);
    running.child.stdin?.on('error', () => undefined).end(input ?? '');
    return running.ended;
  };
  const installation: Installation = {
    engine,
    folder,
    databaseUrl: place,
    file,
    start,
    run,
    json: async <T>(args: readonly string[], given?: Given) => {
      const { code, stdout, stderr } = await run([...args, '--json'], given);
      if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
      return JSON.parse(stdout) as T;
    },
    serve: async (env) => {
      const running = start(['serve'], env);
      const address = await addressOf(running);
      const { port } = new URL(address);
      return { ...running, address, port: Number(port), pid: running.child.pid ?? 0 };
    },
    [Symbol.asyncDispose]: async () => {
      for (const { child } of children) child.kill('SIGKILL');
      await Promise.all([...children].map(({ ended }) => ended));
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return installation;
}

async function newDatabase(postgres: Pick<PostgresOfRun, 'server'>): Promise<string> {
  const { url } = await postgres.server();
  const name = `accept_${process.pid}_${++databases}`;
  await administer(url, `create database ${name} template template0 encoding 'UTF8'`);
  return databaseUrl(url, name);
}

/** A project `acme` with a chatbot, some members and contacts, all made by the command line. */
export async function populate(at: Installation, contacts = 50): Promise<Pick<Target, 'token' | 'paths'>> {
  await at.json(['projects', 'create', 'Acme', '--id', 'acme']);
  await at.json(['chatbots', 'create', '--project', 'acme', '--name', 'Shop', '--id', 'shop']);
  const people = Array.from({ length: contacts }, (_, index) =>
    JSON.stringify({ id: `contact-${index}`, name: `Person ${index}`, email: `person${index}@example.com` }),
  );
  await at.json(['contacts', 'import', '-', '--project', 'acme', '--chatbot', 'shop', '--format', 'ndjson'], {
    input: people.join('\n'),
  });
  const members = ['email,status,roles', 'ada@example.com,Active,Owner', 'grace@example.com,Pending,Editor'];
  await at.json(['members', 'import', '-', '--project', 'acme', '--format', 'csv'], {
    input: members.join('\n'),
  });
  const token = await createKey(at, 'acceptance');
  const ids = Array.from({ length: contacts }, (_, index) => `/v2/chatbots/shop/contacts/contact-${index}`);
  return { token, paths: ['/v2/members', ...ids] };
}

/** A key of the project that `populate` makes, with the usual scopes or these. */
export async function createKey(at: Installation, name: string, scopes: readonly string[] = []): Promise<string> {
  const args = ['keys', 'create', '--project', 'acme', '--name', name, ...scopes.flatMap((one) => ['--scope', one])];
  return (await at.json<{ token: string }>(args)).token;
}

interface Findings {
  checks: { check: string; status: string; finding: string }[];
}

/** What `doctor` finds wrong, but that PostgreSQL of a trial is set up to forget in a power cut, and that a trial's disk may be small. */
export async function objectionsOfDoctor(at: Installation, env: Record<string, string> = {}): Promise<string[]> {
  const { stdout } = await at.run(['doctor', '--json'], { env });
  const { checks } = JSON.parse(stdout) as Findings;
  const mustHold = at.engine === 'SQLite' ? 'integrity' : 'schema';
  if (!checks.some(({ check, status }) => check === mustHold && status === 'ok')) return [`doctor: ${stdout}`];
  const failed = checks.filter(({ check, status }) => status === 'failed' && !/^(durability|disk)$/.test(check));
  return failed.map(({ check, finding }) => `doctor: ${check}: ${finding}`);
}
