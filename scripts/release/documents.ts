import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { nodeArguments } from '../../test/support/program.ts';
import type { Release } from './executable.ts';

interface Shipped {
  content: Buffer | string;
  /** 0644 by default. */
  mode?: number;
}

/** The files of a tarball or package by their paths. */
export type Files = Map<string, Shipped>;

export function filesOf(files: Iterable<readonly [path: string, Shipped]>): Files {
  return new Map(files);
}

/** The manual. It keeps the folders of a checkout, so that its links work. */
export function manual({ root }: Release): Files {
  const names = globSync(['deploy/*.md', 'docs/*.md', 'docs/*.yaml', 'docs/grafana-dashboard.json'], { cwd: root });
  return filesOf(['CHANGELOG.md', 'SECURITY.md', ...names].map((name) => [name, { content: read(root, name) }]));
}

/** The systemd units by name: the service, and the template of further processes, each on its own port. */
export function units({ root }: Release): Files {
  const service = read(root, 'deploy/roster.service');
  return filesOf([
    ['roster.service', { content: service }],
    ['roster@.service', { content: instanceOf(service) }],
  ]);
}

/** Makes the template, whose processes stop, start and reload with the service, and stop before it. */
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

/** Throws if a pattern does not match. */
export function replaced(text: string, replacements: readonly (readonly [RegExp, string])[]): string {
  return replacements.reduce((so, [pattern, replacement]) => {
    if (!pattern.test(so)) throw new Error(`${String(pattern)} is not in ${so.slice(0, 80)}`);
    return so.replace(pattern, replacement);
  }, text);
}

export const proxyFiles = ['nginx.conf', 'haproxy.cfg', 'Caddyfile'];

/** The completion script for a shell. */
export function completion({ root }: Release, shell: string): string {
  return run(root, ['completion', shell]);
}

/** The manual page, made from the help. */
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

/** Escapes a text for troff. */
function verbatim(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/^(?=[.'])/gm, '\\&');
}

/** Runs `dist/`, because the executable may be for another platform. */
function run(root: string, args: readonly string[]): string {
  const program = nodeArguments(join(root, 'dist/main.js'));
  const env = { PATH: process.env['PATH'], COLUMNS: '80' };
  return execFileSync(process.execPath, [...program, ...args], { encoding: 'utf8', env });
}

export function read(root: string, name: string): string {
  return readFileSync(join(root, name), 'utf8');
}
