import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Settings from a file, one `NAME=value` a line. */
export interface EnvFile {
  /** Null if no file is used. */
  path: string | null;
  values: Environment;
  /** The reason why the file cannot be used, without a full stop. */
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
    // Otherwise the command would silently use another database than the service.
    return {
      ...noEnvFile,
      mistake: `${path} cannot be read by this user; run the command as its owner, with "sudo -u roster"`,
    };
  }
}

/** The environment, completed by the file. The environment wins over both names of a secret. */
export function textsOf(environment: Environment, { values }: EnvFile) {
  const own = givenIn(environment);
  const added = [...givenIn(values)].filter(([name]) => !own.has(sibling(name)));
  return { own, texts: new Map([...added, ...own]) };
}

/** The other name of the same secret. */
function sibling(name: string): string {
  return name.endsWith('_FILE') ? name.slice(0, -'_FILE'.length) : `${name}_FILE`;
}

/** An empty value counts as unset. */
function givenIn(environment: Environment): Map<string, string> {
  const texts = new Map<string, string>();
  for (const [name, text = ''] of Object.entries(environment)) if (text !== '') texts.set(name, text);
  return texts;
}

/** Reads a secret from its file. Adds a mistake to `errors` if it cannot. */
export function secretIn(
  file: string,
  name: string,
  texts: ReadonlyMap<string, string>,
  errors: string[],
): string | undefined {
  if (texts.has(name)) errors.push(`${name} and ${name}_FILE are both set; keep one`);
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    errors.push(`${name}_FILE names a file that cannot be read; allowed is the path of a readable file`);
    return undefined;
  }
}
