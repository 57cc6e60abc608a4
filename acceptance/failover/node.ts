import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { dirname, join } from 'node:path';

import { freePort } from '../../test/support/free-port.ts';
import { nobody } from '../../test/support/postgres.ts';
import { signalFamily, startIn } from './processes.ts';

/** A Patroni with its PostgreSQL. */
export interface Node extends AsyncDisposable {
  name: string;
  /** The port of PostgreSQL for callers; other nodes connect through a gate. */
  port: number;
  /** The port of Patroni's REST API. */
  restPort: number;
  start(): void;
  /** Signals Patroni and all processes of PostgreSQL. */
  signal(signal: NodeJS.Signals): void;
  /** Cuts the node from the other nodes, and from etcd; callers still reach it. */
  cutOff(from?: 'nodes' | 'nodes and etcd'): void;
  join(): void;
}

/** What the trial needs of Debian: a file, and the package that brings it. */
export const packages = {
  '/usr/bin/patroni': 'patroni',
  '/usr/lib/python3/dist-packages/etcd/__init__.py': 'python3-etcd',
  '/usr/bin/etcd': 'etcd-server',
  '/usr/sbin/haproxy': 'haproxy',
  '/usr/lib/postgresql/*/bin/pg_rewind': 'postgresql',
};

export async function aNode(parent: string, name: string, etcdPort: number): Promise<Node> {
  const folder = join(parent, name);
  mkdirSync(folder);
  const [port, restPort] = [await freePort(), await freePort()];
  const etcd = await openGate(etcdPort);
  const peers = await openGate(port);
  const file = join(folder, 'patroni.json');
  writeFileSync(file, JSON.stringify(settings({ name, folder, port, restPort, etcd, peers })));
  give(folder);
  return {
    name,
    port,
    restPort,
    start: () => void startIn(folder, 'patroni', '/usr/bin/patroni', [file]),
    signal: (signal) => signalFamily(folder, signal),
    cutOff: (from = 'nodes and etcd') => {
      peers.shut();
      if (from === 'nodes and etcd') etcd.shut();
    },
    join: () => [etcd, peers].forEach((gate) => gate.open()),
    [Symbol.asyncDispose]: async () => {
      signalFamily(folder, 'SIGKILL');
      await Promise.all([etcd, peers].map((gate) => gate[Symbol.asyncDispose]()));
    },
  };
}

/** Gives a folder to the user whom the servers run as. */
export function give(folder: string): void {
  if (nobody.uid !== undefined) spawnSync('chown', ['-R', `${nobody.uid}:${nobody.gid}`, folder]);
}

/** Seconds; Patroni promotes a standby once the primary has been silent for this long. */
const ttl = 20;

interface Place {
  name: string;
  folder: string;
  port: number;
  restPort: number;
  etcd: Gate;
  peers: Gate;
}

function settings({ name, folder, port, restPort, etcd, peers }: Place): object {
  const user = { username: 'postgres' };
  return {
    scope: 'roster',
    name,
    restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
    // Not "etcd3": with it, a primary that was stopped overwrites the lock of the next one (Patroni 3.0.2).
    // Without "use_proxies" it would ask etcd for its own address, and go around the gate.
    etcd: { hosts: [`127.0.0.1:${etcd.port}`], use_proxies: true },
    bootstrap: {
      dcs: {
        ttl,
        loop_wait: 2,
        retry_timeout: 5,
        synchronous_mode: true,
        postgresql: {
          use_pg_rewind: true,
          parameters: { fsync: 'off', wal_sender_timeout: '10s', max_connections: 100, wal_keep_size: '256MB' },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums', 'no-sync'],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${peers.port}`,
      data_dir: join(folder, 'data'),
      bin_dir: dirname(globSync('/usr/lib/postgresql/*/bin/pg_rewind').at(-1) ?? ''),
      pgpass: join(folder, 'pgpass'),
      authentication: { superuser: user, replication: user, rewind: user },
      parameters: { unix_socket_directories: folder },
      pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
      remove_data_directory_on_rewind_failure: true,
      remove_data_directory_on_diverged_timelines: true,
    },
  };
}

/** A TCP proxy that can be shut: it cuts its connections and answers no new ones, like a broken cable. */
interface Gate extends AsyncDisposable {
  port: number;
  shut(): void;
  open(): void;
}

async function openGate(port: number): Promise<Gate> {
  const sockets = new Set<Socket>();
  let isShut = false;
  const clear = () => sockets.forEach((socket) => socket.destroy());
  const server = createServer((client) => {
    const behind = isShut ? undefined : connect(port, '127.0.0.1');
    for (const socket of behind ? [client, behind] : [client]) {
      sockets.add(socket);
      socket.setNoDelay(true).on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
    }
    if (!behind) return;
    client.pipe(behind).on('close', () => client.destroy());
    behind.pipe(client).on('close', () => behind.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    shut: () => {
      isShut = true;
      clear();
    },
    open: () => {
      isShut = false;
      clear();
    },
    [Symbol.asyncDispose]: async () => {
      const closed = once(server.close(), 'close');
      clear();
      await closed;
    },
  };
}
