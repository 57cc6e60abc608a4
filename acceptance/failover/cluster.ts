import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { until } from '../../scripts/support/until.ts';
import { freePort } from '../../test/support/free-port.ts';
import { aNode, give, type Node } from './node.ts';
import { kill, startIn } from './processes.ts';

/** Three nodes of Patroni, an etcd and an HAProxy that leads to the primary, all on the loopback. */
export interface Cluster extends AsyncDisposable {
  folder: string;
  nodes: readonly Node[];
  etcd: ChildProcess;
  proxy: ChildProcess;
  proxyPort: number;
  startProxy(): void;
  /** Starts the nodes, and waits until they are whole. */
  start(): Promise<void>;
  primary(): Promise<Node>;
  /** The synchronous standby. */
  standby(): Promise<Node>;
  /** Waits until another node has the role, and two seconds more. */
  replaced(role: 'primary' | 'standby', node: Node): Promise<void>;
  /** Waits until all nodes run, and one standby is synchronous if the cluster is. */
  whole(isSynchronous?: boolean): Promise<void>;
  /** Calls the REST API of the primary's Patroni. */
  ask(path: string, body: object, method?: 'POST' | 'PATCH'): Promise<void>;
}

const wholeWithinMs = 90_000;

export async function aCluster(): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'roster-failover-'));
  const [etcdPort, peerPort, proxyPort] = [await freePort(), await freePort(), await freePort()];
  const nodes: Node[] = [];
  for (const name of ['one', 'two', 'three']) nodes.push(await aNode(folder, name, etcdPort));
  writeFileSync(join(folder, 'haproxy.cfg'), proxySettings(proxyPort, nodes));
  give(folder);
  const etcd = startIn(folder, 'etcd', '/usr/bin/etcd', etcdArgs(etcdPort, peerPort));
  const proxy = () => startIn(folder, 'haproxy', '/usr/sbin/haproxy', ['-f', 'haproxy.cfg', '-db']);
  const find = async (role: RegExp): Promise<Node> => {
    const found = (await membersOf(nodes)).find((member) => role.test(member.role))?.name;
    const node = nodes.find(({ name }) => name === found);
    if (!node) throw new Error(`no node is ${String(role)}`);
    return node;
  };
  const cluster: Cluster = {
    folder,
    nodes,
    etcd,
    proxy: proxy(),
    proxyPort,
    startProxy: () => void (cluster.proxy = proxy()),
    start: async () => {
      // Patroni reads etcd's version at its start; a new etcd does not know it at once.
      await until('etcd knows its version', async () => {
        const answer = await fetch(`http://127.0.0.1:${etcdPort}/version`).catch(() => undefined);
        return answer !== undefined && !(await answer.text()).includes('not_decided');
      });
      nodes.forEach((node) => node.start());
      await cluster.whole();
    },
    primary: () => find(/^leader$/),
    standby: () => find(/^sync_standby$/),
    replaced: async (role, node) => {
      await until(`another ${role}`, async () => {
        const now = await cluster[role]().catch(() => node);
        return now !== node;
      });
      await pause(2_000);
    },
    whole: async (isSynchronous = true) => {
      const deadline = performance.now() + wholeWithinMs;
      for (;;) {
        const members = await membersOf(nodes);
        if (isWhole(members, isSynchronous)) return;
        if (performance.now() > deadline) throw new Error(`the cluster stays ${JSON.stringify(members)}`);
        await pause(200);
      }
    },
    ask: async (path, body, method = 'POST') => {
      const { restPort } = await cluster.primary();
      const request = { method, body: JSON.stringify(body) };
      const answer = await fetch(`http://127.0.0.1:${restPort}${path}`, request);
      if (!answer.ok)
        throw new Error(`Patroni answered ${method} ${path} with ${answer.status} ${await answer.text()}`);
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(nodes.map((node) => node[Symbol.asyncDispose]()));
      await Promise.all([kill(etcd), kill(cluster.proxy)]);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
  return cluster;
}

function etcdArgs(port: number, peerPort: number): string[] {
  const [client, peer] = [port, peerPort].map((one) => `http://127.0.0.1:${one}`);
  return [
    '--data-dir=etcd',
    '--enable-v2',
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
  ];
}

function proxySettings(port: number, nodes: readonly Node[]): string {
  const servers = nodes.map(({ name, port, restPort }) => `  server ${name} 127.0.0.1:${port} check port ${restPort}`);
  return `global
  maxconn 500
defaults
  mode tcp
  timeout connect 1s
  timeout client 1h
  timeout server 1h
  timeout check 1s
listen primary
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`;
}

/** A node as Patroni lists it. */
interface Member {
  name: string;
  role: string;
  state: string;
  timeline?: number;
  lag?: number | string;
}

/** Asks the nodes in turn; the first answer counts. */
async function membersOf(nodes: readonly Node[]): Promise<Member[]> {
  for (const { restPort } of nodes) {
    const url = `http://127.0.0.1:${restPort}/cluster`;
    const answer = await fetch(url, { signal: AbortSignal.timeout(1_000) }).catch(() => undefined);
    if (answer?.ok) return ((await answer.json()) as { members: Member[] }).members;
  }
  return [];
}

const lagMax = 1_000_000;

/** One leader, and two standbys on its timeline without lag; one of them is synchronous if the cluster is. */
function isWhole(members: readonly Member[], isSynchronous: boolean): boolean {
  const [leader, ...more] = members.filter(({ role }) => role === 'leader');
  if (members.length !== 3 || !leader || more.length > 0) return false;
  const areThere = members.every(
    ({ state, timeline, lag = 0 }) =>
      /^(?:running|streaming)$/.test(state) && timeline === leader.timeline && Number(lag) < lagMax,
  );
  return areThere && members.some(({ role }) => role === 'sync_standby') === isSynchronous;
}
