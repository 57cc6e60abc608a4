import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { checkOut } from '../support/check-out.ts';
import { images, root, run, scratchOfStage, storageFlags } from './machine.ts';
import { documentedLines } from './manual.ts';

const megabyte = 1_000_000;
/** Maximum size above a base that has Node. */
const layersMax = 30 * megabyte;
const certificates = '/etc/ssl/certs/ca-certificates.crt';

const scratch = scratchOfStage();
const at = (...path: string[]) => join(scratch.folder, ...path);
const buildah = (...args: string[]) => run('buildah', [...storageFlags(scratch), ...args]);

mkdirSync(at('tmp'));
writeFileSync(at('containers.conf'), '');
await makeBase();
await build(images.now, root);
if (scratch.from === undefined) await buildah('tag', images.now, images.before);
else {
  checkOut(scratch.from, at('checkout'));
  await build(images.before, at('checkout'));
}
await weigh();

/** Builds a base like the official image of Node: a small Debian, Node with the library that it needs, and npm. */
async function makeBase(): Promise<void> {
  const base = at('base');
  const debian = /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? 'stable';
  await run('debootstrap', ['--variant=minbase', '--include=libatomic1,ca-certificates', debian, base]);
  const local = join(base, 'usr/local');
  const npm = resolve(process.env['npm_execpath'] ?? '/usr/lib/node_modules/npm/bin/npm-cli.js', '../..');
  cpSync(process.execPath, join(local, 'bin/node'));
  cpSync(npm, join(local, 'lib/node_modules/npm'), { recursive: true });
  for (const name of ['npm', 'npx'])
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(local, 'bin', name));
  for (const folder of ['var/cache/apt', 'var/lib/apt/lists']) rmSync(join(base, folder), { recursive: true });
  const container = await buildah('from', 'scratch');
  await buildah('copy', '--quiet', container, base, '/');
  await buildah('commit', '--quiet', '--rm', container, images.base);
  rmSync(base, { recursive: true });
}

/** Builds as deploy/image.md does, with the files that npm needs on this machine. */
async function build(image: string, folder: string): Promise<void> {
  const line =
    documentedLines('One container')
      .get('')
      ?.find((one) => one.startsWith('docker build ')) ?? '';
  const [, args = ''] = /^docker build -t roster (.*) \.$/.exec(line) ?? [];
  const started = Date.now();
  const flags = ['--format', 'docker', '--isolation', 'chroot', '--build-arg', `NODE_IMAGE=${images.base}`];
  const command = [
    'buildah',
    ...storageFlags(scratch),
    'bud',
    ...flags,
    ...(await npmSettings()),
    '-t',
    image,
    args,
    folder,
  ];
  await run('bash', ['-c', command.join(' ')], { cwd: folder });
  console.log(`image: built in ${Math.round((Date.now() - started) / 1000)} s`);
}

/** Mounts npm's configuration and certificates of this machine: `RUN` sees them, and no layer holds them. */
async function npmSettings(): Promise<string[]> {
  const [registry, userFile = ''] = await Promise.all(
    ['registry', 'userconfig'].map((name) => run('npm', ['config', 'get', name])),
  );
  const own = existsSync(userFile) ? readFileSync(userFile, 'utf8') : '';
  const npmrc = at('npmrc');
  writeFileSync(npmrc, `${own}\nregistry=${registry}\ncafile=${certificates}\n`, { mode: 0o600 });
  return [`${npmrc}:/root/.npmrc`, `${certificates}:${certificates}`].map((mount) => `--volume=${mount}:ro`);
}

/** The uncompressed layers of an image. */
async function layersOf(image: string): Promise<number[]> {
  const folder = at('layers');
  await buildah('push', '--quiet', '--disable-compression', image, `dir:${folder}`);
  const { layers } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as { layers: { size: number }[] };
  rmSync(folder, { recursive: true });
  return layers.map(({ size }) => size);
}

async function weigh(): Promise<void> {
  const base = await layersOf(images.base);
  const above = (await layersOf(images.now)).slice(base.length);
  const bytes = above.reduce((sum, size) => sum + size, 0);
  console.log(`image: ${(bytes / megabyte).toFixed(1)} MB above its base, in ${above.length} layers`);
  if (bytes > layersMax) throw new Error(`The layers above the base have more than ${layersMax / megabyte} MB.`);
}
