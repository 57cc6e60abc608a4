import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { spawnProgram } from '../../test/support/program.ts';

/** A proxy as Debian ships it, with the configuration of deploy/, on a port of its own. */
export interface Front extends AsyncDisposable {
  version: string;
  /** Where it takes HTTPS; its certificate is in `certificate`, as PEM. */
  port: number;
  certificate: string;
  /** How many requests of each id it has seen; those without one are ''. */
  seen(): ReadonlyMap<string, number>;
}

export const fronts = ['nginx', 'HAProxy'] as const;
export type FrontName = (typeof fronts)[number];

const folders = ['/usr/sbin', '/usr/local/sbin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin'];

/** Where the proxy is installed; undefined where it is not. */
export function programOf(name: FrontName): string | undefined {
  return folders.map((folder) => join(folder, name.toLowerCase())).find((file) => existsSync(file));
}

/** Starts it before 127.0.0.1:`backend`, with its files in `folder`. */
export async function startFront(name: FrontName, program: string, backend: number, folder: string): Promise<Front> {
  const [port, plainPort] = [await freePort(), await freePort()];
  const given = readFileSync(
    new URL(`../../deploy/${name === 'nginx' ? 'nginx.conf' : 'haproxy.cfg'}`, import.meta.url),
    'utf8',
  );
  const at = join(folder, `${name}-${port}`);
  mkdirSync(at);
  const { certificate, files } = makeCertificate(at);
  const shipped = given
    .replace(/^( *server .*)127\.0\.0\.1:8080/m, `$1127.0.0.1:${backend}`)
    .replace('listen 80;', `listen 127.0.0.1:${plainPort};`)
    .replace('listen 443 ', `listen 127.0.0.1:${port} `)
    .replace('/etc/ssl/roster/fullchain.pem', files.certificate)
    .replace('/etc/ssl/roster/privkey.pem', files.key)
    .replace('bind :80\n', `bind 127.0.0.1:${plainPort}\n${haproxyLog}`)
    .replace('bind :443 ', `bind 127.0.0.1:${port} `)
    .replace('/etc/haproxy/roster.pem', files.both);
  const file = join(at, 'configuration');
  writeFileSync(file, name === 'nginx' ? nginxOf(at, shipped) : `${haproxyGlobal}${shipped}`);
  const args = name === 'nginx' ? ['-p', at, '-c', file] : ['-f', file, '-db'];
  const running = spawnProgram(program, args, { cwd: at, env: {} });
  const ids = () => (name === 'nginx' ? readFileSync(join(at, 'access.log'), 'utf8') : running.stdout());
  try {
    await accepts(port, () => running.child.exitCode === null);
  } catch {
    throw new Error(`${name} does not start: ${running.stderr()}${running.stdout()}`);
  }
  return {
    version: versionOf(program),
    port,
    certificate,
    seen: () => {
      const seen = new Map<string, number>();
      for (const [, id = ''] of ids().matchAll(/^seen:([\w.-]*)$/gm)) seen.set(id, (seen.get(id) ?? 0) + 1);
      return seen;
    },
    [Symbol.asyncDispose]: async () => {
      running.child.kill('SIGKILL');
      await running.ended;
    },
  };
}

/** A certificate of its own for 127.0.0.1, made by openssl. */
function makeCertificate(folder: string) {
  const files = {
    certificate: join(folder, 'certificate.pem'),
    key: join(folder, 'key.pem'),
    both: join(folder, 'both.pem'),
  };
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const named = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const made = spawnSync(
    'openssl',
    ['req', '-x509', ...curve, ...named, '-keyout', files.key, '-out', files.certificate],
    { encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`openssl makes no certificate: ${made.error?.message ?? made.stderr}`);
  const certificate = readFileSync(files.certificate, 'utf8');
  writeFileSync(files.both, certificate + readFileSync(files.key, 'utf8'));
  return { certificate, files };
}

const haproxyGlobal = 'global\n    nbthread 1\n    log stdout format raw local0\n\n';
const haproxyLog =
  '    log global\n    http-request capture req.hdr(X-Request-Id) len 64\n    log-format "seen:%[capture.req.hdr(0)]"\n';

/** What Debian's nginx.conf has around the files of conf.d, as far as it matters here. */
function nginxOf(folder: string, included: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `  ${kind}_temp_path ${join(folder, kind)};\n`,
  );
  return `daemon off;
master_process off;
pid ${join(folder, 'pid')};
error_log ${join(folder, 'error.log')};
events { worker_connections 256; }
http {
${temporary.join('')}  log_format seen 'seen:$http_x_request_id';
  access_log ${join(folder, 'access.log')} seen;
  ${included}}
`;
}

function versionOf(program: string): string {
  const { stdout, stderr } = spawnSync(program, ['-v'], { encoding: 'utf8' });
  return /\d+\.\d+\.\d+/.exec(stdout + stderr)?.[0] ?? 'of unknown version';
}

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  await once(server.close(), 'close');
  return port;
}

const startsWithinMs = 10_000;

async function accepts(port: number, isAlive: () => boolean): Promise<void> {
  const startedAt = performance.now();
  while (isAlive() && performance.now() - startedAt < startsWithinMs) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return;
    await pause(50);
  }
  throw new Error('nobody accepts');
}
