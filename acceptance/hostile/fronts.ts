import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { freePort } from '../../test/support/free-port.ts';
import { spawnProgram } from '../../test/support/program.ts';

/** A proxy as Debian ships it, with the configuration of deploy/, on ports of its own. */
export interface Front extends AsyncDisposable {
  version: string;
  /** Where it takes HTTPS; its certificate is in `certificate`, as PEM. */
  port: number;
  /** Where it redirects from. */
  plainPort: number;
  certificate: string;
  /** How many requests of each id it has seen; those without one are ''. */
  seen(): ReadonlyMap<string, number>;
}

/** What a configuration is changed to, so that it runs without root, in a folder, with its own certificate. */
interface Place {
  at: string;
  port: number;
  plainPort: number;
  files: { certificate: string; key: string; both: string };
}

interface Kind {
  /** In deploy/. */
  file: string;
  args(at: string, configuration: string): string[];
  version: string;
  configure(shipped: string, place: Place): string;
  /** Where a line for each request is, which `seen` finds the id in. */
  log: 'access.log' | 'stdout';
  seen: RegExp;
}

const kinds = {
  nginx: {
    file: 'nginx.conf',
    args: (at, configuration) => ['-p', at, '-c', configuration],
    version: '-v',
    configure: (shipped, { at, port, plainPort, files }) =>
      nginxOf(
        at,
        shipped
          .replace('listen 80;', `listen 127.0.0.1:${plainPort};`)
          .replace('listen 443 ', `listen 127.0.0.1:${port} `)
          .replace('/etc/ssl/roster/fullchain.pem', files.certificate)
          .replace('/etc/ssl/roster/privkey.pem', files.key),
      ),
    log: 'access.log',
    seen: /^seen:([\w.-]*)$/gm,
  },
  HAProxy: {
    file: 'haproxy.cfg',
    args: (_, configuration) => ['-f', configuration, '-db'],
    version: '-v',
    configure: (shipped, { port, plainPort, files }) =>
      haproxyGlobal +
      shipped
        .replace('bind :80\n', `bind 127.0.0.1:${plainPort}\n${haproxyLog}`)
        .replace('bind :443 ', `bind 127.0.0.1:${port} `)
        .replace('/etc/haproxy/roster.pem', files.both),
    log: 'stdout',
    seen: /^seen:([\w.-]*)$/gm,
  },
  Caddy: {
    file: 'Caddyfile',
    args: (_, configuration) => ['run', '--adapter', 'caddyfile', '--config', configuration],
    version: 'version',
    configure: (shipped, { at, port, plainPort, files }) =>
      shipped
        .replace(/^\{$/m, `{\n${caddyGlobal(at, port, plainPort)}`)
        .replace(/^roster\.example\.com \{$/m, `https:// {\n${caddySite(files)}`),
    log: 'stdout',
    seen: /"msg":"handled request".*?"X-Request-Id":\["([\w.-]*)"\]/gm,
  },
} satisfies Record<string, Kind>;

export type FrontName = keyof typeof kinds;
export const fronts = Object.keys(kinds) as FrontName[];

const folders = ['/usr/sbin', '/usr/local/sbin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin'];

/** Where the proxy is installed; undefined where it is not. */
export function programOf(name: FrontName): string | undefined {
  return folders.map((folder) => join(folder, name.toLowerCase())).find((file) => existsSync(file));
}

/** Starts it before 127.0.0.1:`backend`, and `second` where it is given, with its files in `folder`. */
export async function startFront(
  name: FrontName,
  program: string,
  backend: number,
  folder: string,
  second?: number,
): Promise<Front> {
  const kind: Kind = kinds[name];
  const [port, plainPort] = [await freePort(), await freePort()];
  const at = join(folder, `${name}-${port}`);
  mkdirSync(at);
  const { certificate, files } = makeCertificate(at);
  const shipped = readFileSync(new URL(`../../deploy/${kind.file}`, import.meta.url), 'utf8');
  const configured = kind.configure(withServers(shipped, backend, second), { at, port, plainPort, files });
  const configuration = join(at, 'configuration');
  writeFileSync(configuration, configured);
  const running = spawnProgram(program, kind.args(at, configuration), { cwd: at, env: { HOME: at } });
  const log = () => (kind.log === 'stdout' ? running.stdout() : readFileSync(join(at, kind.log), 'utf8'));
  try {
    await accepts(port, () => running.child.exitCode === null);
  } catch {
    running.child.kill('SIGKILL');
    throw new Error(`${name} does not start: ${running.stderr()}${running.stdout()}`);
  }
  return {
    version: versionOf(program, kind.version),
    port,
    plainPort,
    certificate,
    seen: () => {
      const seen = new Map<string, number>();
      for (const [, id = ''] of log().matchAll(kind.seen)) seen.set(id, (seen.get(id) ?? 0) + 1);
      return seen;
    },
    [Symbol.asyncDispose]: async () => {
      running.child.kill('SIGKILL');
      await running.ended;
    },
  };
}

/** The shipped file for these processes: one, or two where its second line counts. */
function withServers(shipped: string, first: number, second?: number): string {
  const one = shipped.replace(/^(\s*(?:server|to) .*)127\.0\.0\.1:8080/m, `$1127.0.0.1:${first}`);
  return second === undefined ? one : one.replace(/^(\s*)# (.*)127\.0\.0\.1:8081/m, `$1$2127.0.0.1:${second}`);
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

const caddyGlobal = (at: string, port: number, plainPort: number) =>
  `	admin off
	storage file_system ${join(at, 'storage')}
	http_port ${plainPort}
	https_port ${port}
	default_sni 127.0.0.1
	log {
		output stdout
	}
`;
const caddySite = ({ certificate, key }: Place['files']) => `	bind 127.0.0.1
	tls ${certificate} ${key}
	log
`;

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

function versionOf(program: string, argument: string): string {
  const { stdout, stderr } = spawnSync(program, [argument], { encoding: 'utf8' });
  return /\d+\.\d+\.\d+/.exec(stdout + stderr)?.[0] ?? 'of unknown version';
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
