import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface Scratch {
  /** Everything that the check writes is below it. */
  folder: string;
  /** The commit to upgrade from; the checkout itself without it. */
  from?: string;
}

export const root = fileURLToPath(new URL('../../', import.meta.url));
export const images = { base: 'localhost/base', before: 'localhost/before', now: 'localhost/now' } as const;

export function scratchOfStage(): Scratch {
  return JSON.parse(process.argv[2] ?? '{}') as Scratch;
}

/** Where images and containers are, for buildah and podman alike. The sandboxes of CI have no overlays. */
export function storageFlags({ folder }: Scratch): string[] {
  return ['--root', `${folder}/storage`, '--runroot', `${folder}/run`, '--storage-driver', 'vfs'];
}

/** Its stdout. Throws with what it printed where it fails. */
export function run(file: string, args: string[], { cwd = root, input = '' } = {}): string {
  const { status, signal, error, stdout, stderr } = spawnSync(file, args, {
    cwd,
    input,
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
  if (status === 0) return stdout.trim();
  const line = [file, ...args].join(' ');
  throw new Error(
    [`${line} ended with ${status ?? signal}`, stdout.slice(-3000), stderr.slice(-3000), error].join('\n'),
  );
}
