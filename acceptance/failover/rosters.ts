import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { freePort } from '../../test/support/free-port.ts';
import { addressOf, nodeArguments, type Running, spawnProgram } from '../../test/support/program.ts';
import { parseMetrics } from '../../test/support/prometheus.ts';
import type { Cluster } from './cluster.ts';

/** A process of Roster, on the same port after each start. */
export interface Roster {
  name: string;
  port: number;
  databaseUrls: readonly string[];
  isServing: boolean;
  start(): Promise<void>;
  kill(): Promise<void>;
  /** Runs a command with --json. */
  json<T>(args: readonly string[]): Promise<T>;
  /** Runs a command, and returns what it prints. */
  run(args: readonly string[]): Promise<string>;
  /** Returns the log of all its processes. */
  log(): Record<string, unknown>[];
  /** Returns a metric of the running process. */
  metric(name: string): Promise<number>;
}

/** One Roster connects through HAProxy, the other names all hosts in DATABASE_URL. */
export async function twoRosters({ folder, proxyPort, nodes }: Cluster): Promise<Roster[]> {
  const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`);
  return [
    await aRoster(folder, 'by HAProxy', [`127.0.0.1:${proxyPort}`]),
    await aRoster(folder, 'by three hosts', hosts),
  ];
}

async function aRoster(parent: string, name: string, hosts: readonly string[]): Promise<Roster> {
  const folder = join(parent, name.replaceAll(' ', '-'));
  mkdirSync(folder);
  const [port, metricsPort] = [await freePort(), await freePort()];
  const env = {
    DATABASE_URL: `postgres://postgres@${hosts.join()}/postgres`,
    TMPDIR: folder,
    PORT: String(port),
    ROSTER_METRICS_PORT: String(metricsPort),
    ROSTER_RATE_LIMIT: '0',
  };
  const spawn = (args: readonly string[]) =>
    spawnProgram(process.execPath, [...nodeArguments(), ...args], { cwd: folder, env });
  const services: Running[] = [];
  const roster: Roster = {
    name,
    port,
    databaseUrls: hosts.map((host) => `postgres://postgres@${host}/postgres`),
    isServing: false,
    start: async () => {
      const service = spawn(['serve']);
      services.push(service);
      await addressOf(service);
      roster.isServing = true;
    },
    kill: async () => {
      roster.isServing = false;
      const service = services.at(-1);
      service?.child.kill('SIGKILL');
      await service?.ended;
    },
    run: async (args) => {
      const { code, stdout, stderr } = await spawn(args).ended;
      if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
      return stdout;
    },
    json: async <T>(args: readonly string[]) => JSON.parse(await roster.run([...args, '--json'])) as T,
    log: () =>
      services.flatMap((service) =>
        service
          .stdout()
          .split('\n')
          .filter((line) => line.startsWith('{') && line.endsWith('}'))
          .map((line) => JSON.parse(line) as Record<string, unknown>),
      ),
    metric: async (metric) => {
      const answer = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
      return parseMetrics(await answer.text()).get(metric)?.samples[0]?.value ?? 0;
    },
  };
  return roster;
}
