import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export interface Scratch {
  /** Holds everything that the check writes. */
  folder: string;
  /** The commit to upgrade from; by default the checkout itself. */
  from?: string;
}

export const root = fileURLToPath(new URL('../../', import.meta.url));
export const images = { base: 'localhost/base', before: 'localhost/before', now: 'localhost/now' } as const;

export function scratchOfStage(): Scratch {
  return JSON.parse(process.argv[2] ?? '{}') as Scratch;
}

/** The storage of buildah and podman. vfs, because sandboxes of CI have no overlays. */
export function storageFlags({ folder }: Scratch): string[] {
  return ['--root', `${folder}/storage`, '--runroot', `${folder}/run`, '--storage-driver', 'vfs'];
}

/** Returns stdout. A failure throws with the output. */
export async function run(file: string, args: string[], { cwd = root } = {}): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(file, args, { cwd, maxBuffer: 1e9 });
    return stdout.trim();
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as { stdout?: string; stderr?: string; message: string };
    throw new Error([message.split('\n', 1)[0], stdout.slice(-3000), stderr.slice(-3000)].join('\n'), { cause: error });
  }
}
