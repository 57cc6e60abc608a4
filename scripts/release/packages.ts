import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { billOfMaterials } from '../supply-chain/bill-of-materials.ts';
import { completion, type Files, filesOf, manPage, manual, proxyFiles, read, replaced, units } from './documents.ts';
import type { Release } from './executable.ts';

/** `SOURCE_DATE_EPOCH`, or the commit's time, so that the same source gives the same bytes. */
function secondsOf({ root }: Release): string {
  return (
    process.env['SOURCE_DATE_EPOCH'] ??
    execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' }).trim()
  );
}

const nameOf = ({ version, platform }: Release) => `roster-${version}-${platform}`;

/** Writes `roster-VERSION-PLATFORM.tar.gz`, for a host with systemd. */
export function writeTarball(release: Release): void {
  const { root, folder, platform } = release;
  if (!platform.startsWith('linux-')) return;
  const name = nameOf(release);
  const files = filesOf([
    ...manual(release),
    ...[...units(release)].map(([unit, file]) => [`deploy/${unit}`, file] as const),
    ...['roster.env', ...proxyFiles].map(
      (file) => [`deploy/${file}`, { content: read(root, `deploy/${file}`) }] as const,
    ),
    ...['bash', 'zsh', 'fish'].map(
      (shell) => [`completion/roster.${shell}`, { content: completion(release, shell) }] as const,
    ),
    ['LICENSE', { content: read(root, 'LICENSE') }],
    ['THIRD-PARTY-LICENSES', { content: read(folder, 'THIRD-PARTY-LICENSES') }],
  ]);
  using work = workFolder(root);
  place(join(work.path, name), files);
  copyFileSync(join(folder, name), join(work.path, name, 'roster'));
  const same = ['--sort=name', `--mtime=@${secondsOf(release)}`, '--owner=0', '--group=0', '--numeric-owner'];
  const tar = execFileSync('tar', ['-C', work.path, ...same, '-c', name], { maxBuffer: 2 ** 30 });
  writeFileSync(join(folder, `${name}.tar.gz`), gzipSync(tar));
}

const architectures: Readonly<Record<string, string>> = { 'linux-x64': 'amd64', 'linux-arm64': 'arm64' };

/** Writes `roster_VERSION_ARCHITECTURE.deb`, if dpkg-deb is installed. */
export function writeDeb(release: Release): void {
  const { root, folder, platform } = release;
  const architecture = architectures[platform];
  if (architecture === undefined) return;
  // Before a release Debian wants a tilde: 1.0.0~rc.1 comes before 1.0.0.
  const version = release.version.replace('-', '~');
  using work = workFolder(root);
  const tree = join(work.path, 'tree');
  const files = filesOfDeb(release, version);
  place(tree, files);
  copyFileSync(join(folder, nameOf(release)), join(tree, 'usr/bin/roster'));
  const kibibytes = [...files.keys()].reduce(
    (sum, file) => sum + Math.ceil(statSync(join(tree, file)).size / 1_024),
    0,
  );
  const control = replaced(read(root, 'deploy/debian/control'), [
    [/@VERSION@/, version],
    [/@ARCHITECTURE@/, architecture],
    [/@KIBIBYTES@/, String(kibibytes)],
  ]);
  place(tree, filesOf([['DEBIAN/control', { content: control }], ...maintenance(root, tree, files)]));
  const file = join(folder, `roster_${version}_${architecture}.deb`);
  // With more threads xz gives other bytes.
  const args = ['--root-owner-group', '--threads-max=1', '-Zxz', '--build', tree, file];
  try {
    execFileSync('dpkg-deb', args, { env: { ...process.env, SOURCE_DATE_EPOCH: secondsOf(release) } });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    console.log('skipped the .deb: dpkg-deb is not installed');
  }
}

function filesOfDeb(release: Release, version: string): Files {
  const { root, folder } = release;
  const documents = 'usr/share/doc/roster';
  const changes = `roster (${version}) stable; urgency=medium\n\n  * See CHANGELOG.md beside this file.\n\n -- The Roster authors <roster@packages.example.com>  ${dateOf(release)}\n`;
  const licence = read(root, 'LICENSE').split('\n').slice(4).join('\n').trim();
  const indented = licence.replaceAll(/^$/gm, '.').replaceAll(/^/gm, ' ');
  return filesOf([
    ['usr/bin/roster', { content: '', mode: 0o755 }],
    ['etc/roster/roster.env', { content: read(root, 'deploy/roster.env'), mode: 0o640 }],
    ...[...units(release)].map(([unit, file]) => [`usr/lib/systemd/system/${unit}`, file] as const),
    ['usr/share/bash-completion/completions/roster', { content: completion(release, 'bash') }],
    ['usr/share/zsh/vendor-completions/_roster', { content: completion(release, 'zsh') }],
    ['usr/share/fish/vendor_completions.d/roster.fish', { content: completion(release, 'fish') }],
    ['usr/share/man/man1/roster.1.gz', compressed(manPage(release))],
    ...[...manual(release)].map(([name, file]) => [`${documents}/${name}`, file] as const),
    ...proxyFiles.map((file) => [`${documents}/deploy/${file}`, { content: read(root, `deploy/${file}`) }] as const),
    [`${documents}/changelog.gz`, compressed(changes)],
    [`${documents}/copyright`, { content: read(root, 'deploy/debian/copyright').replace('@LICENCE@', indented) }],
    [`${documents}/THIRD-PARTY-LICENSES.gz`, compressed(read(folder, 'THIRD-PARTY-LICENSES'))],
    ['usr/share/lintian/overrides/roster', { content: read(root, 'deploy/debian/lintian-overrides') }],
  ]);
}

function compressed(content: string) {
  return { content: gzipSync(content, { level: 9 }) };
}

/** The files that dpkg reads beside `control`. */
function maintenance(root: string, tree: string, files: Files): Files {
  const scripts = ['postinst', 'prerm', 'postrm'].map(
    (name) => [`DEBIAN/${name}`, { content: read(root, `deploy/debian/${name}`), mode: 0o755 }] as const,
  );
  const sums = [...files.keys()].filter((file) => !file.startsWith('etc/')).toSorted();
  const digests = sums.map((file) => `${digest('md5', join(tree, file))}  ${file}\n`).join('');
  return filesOf([
    ...scripts,
    ['DEBIAN/conffiles', { content: '/etc/roster/roster.env\n' }],
    ['DEBIAN/md5sums', { content: digests }],
  ]);
}

function dateOf(release: Release): string {
  return new Date(Number(secondsOf(release)) * 1_000).toUTCString().replace('GMT', '+0000');
}

/** Writes `roster-VERSION.cdx.json`, the bill of materials. */
export function writeBillOfMaterials(release: Release): void {
  const bill = billOfMaterials(new Date(Number(secondsOf(release)) * 1_000));
  writeFileSync(join(release.folder, `roster-${release.version}.cdx.json`), `${JSON.stringify(bill, undefined, 2)}\n`);
}

/** Writes `SHA256SUMS` of all files there, for `sha256sum --check`. */
export function writeSums({ folder }: Release): void {
  const sums = readdirSync(folder).map((name) => `${digest('sha256', join(folder, name))}  ${name}\n`);
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
}

function digest(algorithm: string, file: string): string {
  return createHash(algorithm).update(readFileSync(file)).digest('hex');
}

function place(folder: string, files: Files): void {
  for (const [path, { content, mode = 0o644 }] of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true, mode: 0o755 });
    writeFileSync(file, content);
    chmodSync(file, mode);
  }
}

function workFolder(root: string): Disposable & { path: string } {
  const path = join(root, '.cache/package');
  const remove = () => rmSync(path, { recursive: true, force: true });
  remove();
  return { path, [Symbol.dispose]: remove };
}
