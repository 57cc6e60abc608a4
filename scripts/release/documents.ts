import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { nodeArguments } from '../../test/support/program.ts';
import type { Release } from './executable.ts';

interface Shipped {
  content: Buffer | string;
  /** 0644 where it is missing. */
  mode?: number;
}

/** What is in a tarball or package, by its path there. */
export type Files = Map<string, Shipped>;

export function filesOf(files: Iterable<readonly [path: string, Shipped]>): Files {
  return new Map(files);
}

/** The manual of a host. Its links are as in a checkout, so its folders are too. */
export function manual({ root }: Release): Files {
  const names = globSync(['deploy/*.md', 'docs/*.md', 'docs/*.yaml', 'docs/grafana-dashboard.json'], { cwd: root });
  return filesOf(['CHANGELOG.md', 'SECURITY.md', ...names].map((name) => [name, { content: read(root, name) }]));
}

/** The units of systemd by their names: the service, and what a further process of it on a port of its own is started as. */
export function units({ root }: Release): Files {
  const service = read(root, 'deploy/roster.service');
  return filesOf([
    ['roster.service', { content: service }],
    ['roster@.service', { content: instanceOf(service) }],
  ]);
}

/** Stops, starts and reloads with the service, and goes before it in a stop. */
function instanceOf(service: string): string {
  return replaced(service, [
    [
      /^# Roster under systemd.*\n/,
      '$&# A further process beside roster.service: "systemctl enable --now roster@8081".\n',
    ],
    [/^Description=.*$/m, '$&, on port %i'],
    [/^After=.*$/m, '$& roster.service\nPartOf=roster.service\nReloadPropagatedFrom=roster.service'],
    [/^ExecStart=/m, '# roster@8081 has its metrics on 18081.\nEnvironment=PORT=%i ROSTER_METRICS_PORT=1%i\n$&'],
    [/^WantedBy=.*$/m, 'WantedBy=roster.service'],
  ]);
}

/** Throws where there is nothing to replace. */
export function replaced(text: string, replacements: readonly (readonly [RegExp, string])[]): string {
  return replacements.reduce((so, [pattern, replacement]) => {
    if (!pattern.test(so)) throw new Error(`${String(pattern)} is not in ${so.slice(0, 80)}`);
    return so.replace(pattern, replacement);
  }, text);
}

export const proxyFiles = ['nginx.conf', 'haproxy.cfg', 'Caddyfile'];

/** The completion of a shell, as the program prints it. */
export function completion({ root }: Release, shell: string): string {
  return run(root, ['completion', shell]);
}

/** A page for man, made of the help. */
export function manPage(release: Release): string {
  const { root, version } = release;
  return `.TH ROSTER 1 "" "Roster ${version}" "User Commands"
.SH NAME
roster \\- people service for chatbot projects
.SH SYNOPSIS
.B roster
.RI [ options ]
.RI [ command ]
.SH DESCRIPTION
Each command has a help of its own: roster COMMAND \\-\\-help.
.PP
.nf
${verbatim(run(root, ['--help']))}.fi
.SH FILES
.TP
.I /etc/roster/roster.env
the settings of the service and of all commands
.TP
.I /var/lib/roster
the database and its backups
`;
}

/** As troff prints it unchanged. */
function verbatim(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/^(?=[.'])/gm, '\\&');
}

/** Runs the program of `dist/`, which is also there for a platform that this machine is not. */
function run(root: string, args: readonly string[]): string {
  const program = nodeArguments(join(root, 'dist/main.js'));
  const env = { PATH: process.env['PATH'], COLUMNS: '80' };
  return execFileSync(process.execPath, [...program, ...args], { encoding: 'utf8', env });
}

export function read(root: string, name: string): string {
  return readFileSync(join(root, name), 'utf8');
}
