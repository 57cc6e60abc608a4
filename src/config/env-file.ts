import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

import { nearest } from '../values/nearest.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface EnvFile {
  /** Null if no file is used. */
  path: string | null;
  values: Environment;
  /** Why the file cannot be used, without a full stop. */
  mistake?: string;
}

export const defaultEnvFile = '/etc/roster/roster.env';
export const noEnvFile: EnvFile = { path: null, values: {} };

/** The file that ROSTER_ENV_FILE names, or the default one where it exists. */
export function readEnvFile({ ROSTER_ENV_FILE: named = '' }: Environment, standard = defaultEnvFile): EnvFile {
  const path = named === '' ? standard : named;
  const subject = named === '' ? path : namedFile;
  try {
    const text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
    const line = oddLine(text);
    const mistake = `${subject} has neither NAME=value nor a comment in line ${line}; correct it`;
    return { path, values: parseEnv(text), ...(line > 0 && { mistake }) };
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (named === '' && isMissing.has(code)) return noEnvFile;
    // Otherwise the command would silently use another database than the service.
    return { ...noEnvFile, mistake: `${subject} ${named === '' ? unreadable : reasonOf(code)}` };
  }
}

const isMissing = new Set(['ENOENT', 'ENOTDIR']);
const unreadable = 'cannot be read by this user; run the command as its owner, with "sudo -u roster"';
const namedFile = 'ROSTER_ENV_FILE (--env-file) names a file that';

function reasonOf(code: string): string {
  if (isMissing.has(code)) return 'does not exist; check its path';
  return code === 'EISDIR' ? 'is a folder; name a file' : unreadable;
}

/** The number of the first line that parseEnv would silently skip; 0 if there is none. */
function oddLine(text: string): number {
  const withoutComments = text.replaceAll(/^[ \t]*[#;].*$/gm, '');
  const onOneLine = withoutComments.replaceAll(
    /=[ \t]*(["'`])[^]*?\1/g,
    (value) => `=${value.replaceAll(/[^\n]/g, '')}#`,
  );
  return onOneLine.split('\n').findIndex((line) => !/^\s*(?:$|#|(?:export\s+)?[a-z_][\w.-]*\s*=)/i.test(line)) + 1;
}

/** The environment, completed by the file. The environment wins over both names of a secret. */
export function textsOf(environment: Environment, { values }: EnvFile) {
  const own = givenIn(environment);
  const added = [...givenIn(values)].filter(([name]) => !own.has(sibling(name)));
  return { own, texts: new Map([...added, ...own]) };
}

function sibling(name: string): string {
  return name.endsWith('_FILE') ? name.slice(0, -'_FILE'.length) : `${name}_FILE`;
}

function givenIn(environment: Environment): Map<string, string> {
  return new Map(Object.entries(environment).flatMap(([name, text = '']) => (text === '' ? [] : [[name, text]])));
}

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

const bare = (name: string) => name.replace(/^ROSTER_/, '');

export function unknownSettings(environment: Environment, names: readonly string[]) {
  const unknown = Object.entries(environment).filter(([name]) => name.startsWith('ROSTER_') && !names.includes(name));
  return unknown.flatMap(([name, text = '']) => {
    const { formerDefault, instead } = gone[name] ?? {};
    if (instead !== undefined) return ['', formerDefault].includes(text.trim()) ? [] : [`${name} is gone; ${instead}`];
    const near = nearest(bare(name), names.map(bare));
    const meant = names.find((one) => bare(one) === near);
    if (meant !== undefined) return [`${name} is not a setting (did you mean ${meant}?)`];
    const own = names.filter((one) => one.startsWith('ROSTER_') && !one.endsWith('_FILE'));
    return [`${name} is not a setting; those that begin with ROSTER_ are ${own.join(', ')}`];
  });
}

const gone: Readonly<Record<string, { formerDefault: string; instead: string }>> = {
  ROSTER_WORKERS: {
    formerDefault: '1',
    instead:
      'instead run one "roster serve" for each core, each with a PORT and a ROSTER_METRICS_PORT of its own, behind a proxy (deploy/haproxy.cfg, deploy/nginx.conf), and give them one ROSTER_REDIS_URL to share the rate limit',
  },
  ROSTER_ROW_SECURITY: {
    formerDefault: 'off',
    instead:
      'remove it, and name a user in DATABASE_URL who owns the tables and is no superuser (docs/scaling.md): every statement names its project',
  },
};
