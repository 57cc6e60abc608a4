import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

type Environment = Readonly<Record<string, string | undefined>>;

/** Settings from a file, one `NAME=value` a line. */
export interface EnvFile {
  /** Null where no file is used. */
  path: string | null;
  values: Environment;
  /** Why the file cannot be used, as a sentence without its full stop. */
  mistake?: string;
}

export const defaultEnvFile = '/etc/roster/roster.env';
export const noEnvFile: EnvFile = { path: null, values: {} };

/** The file that ROSTER_ENV_FILE names, or the default one where it exists. */
export function readEnvFile({ ROSTER_ENV_FILE: named = '' }: Environment): EnvFile {
  const path = named === '' ? defaultEnvFile : named;
  try {
    return { path, values: parseEnv(readFileSync(path, 'utf8')) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (named !== '') {
      return {
        ...noEnvFile,
        mistake: 'ROSTER_ENV_FILE (--env-file) names a file that cannot be read; allowed is a readable file',
      };
    }
    if (code === 'ENOENT' || code === 'ENOTDIR') return noEnvFile;
    // Else the command would work on another database than the service, unnoticed.
    return {
      ...noEnvFile,
      mistake: `${path} cannot be read by this user; run the command as its owner, with "sudo -u roster"`,
    };
  }
}
