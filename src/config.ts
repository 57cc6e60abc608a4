import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';

import { databaseUrl, redisUrl } from './config-urls.ts';
import { AppError } from './errors.ts';
import { withinCidrs } from './values/cidr.ts';

/** All settings, checked. */
export interface Config {
  host: string;
  /** 0 is any free port. */
  port: number;
  /** False where the port is the default. */
  portIsChosen: boolean;
  databaseUrl: string;
  /** The Redis in which several processes share the rate limit; empty is none. */
  redisUrl: string;
  logLevel: LogLevel;
  /** Requests a minute for each key; 0 is no limit. */
  rateLimit: number;
  corsOrigins: string[];
  trustProxy: string[];
  /** On the loopback; 0 is off. */
  metricsPort: number;
  /** PostgreSQL itself holds every statement of `serve` to the caller's project. */
  rowSecurity: boolean;
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
type LogLevel = (typeof logLevels)[number];

type Environment = Readonly<Record<string, string | undefined>>;
type Read<T> = (text: string) => T | { problem: string };

/** Variables that may hold a secret, and so may come from a file instead. */
const secrets = new Set(['DATABASE_URL', 'ROSTER_REDIS_URL']);

/** Reads the whole environment; throws `settings` with every mistake in it. */
export function readConfig(environment: Environment): Config {
  const problems: string[] = [];
  const texts = new Map<string, string>();
  const known = new Set<string>();
  for (const [name, text = ''] of Object.entries(environment)) if (text !== '') texts.set(name, text);

  const take = <T>(name: string, fallback: string, read: Read<T>): T | undefined => {
    known.add(name);
    if (secrets.has(name)) known.add(`${name}_FILE`);
    const text = secrets.has(name) ? secretText(name, texts, problems) : texts.get(name);
    const value = read((text ?? fallback).trim());
    if (typeof value !== 'object' || value === null || !('problem' in value)) return value;
    problems.push(`${texts.has(`${name}_FILE`) ? `${name}_FILE holds what` : name} ${value.problem}`);
    return undefined;
  };

  const config = {
    host: take('HOST', '127.0.0.1', host),
    port: take('PORT', '8080', wholeNumber(0, 65_535)),
    portIsChosen: texts.has('PORT'),
    databaseUrl: take('DATABASE_URL', 'sqlite:data/roster.db', databaseUrl),
    logLevel: take('LOG_LEVEL', 'info', oneOf(logLevels)),
    rateLimit: take('ROSTER_RATE_LIMIT', '300', wholeNumber(0, 1_000_000_000)),
    corsOrigins: take('ROSTER_CORS_ORIGINS', '', listOf(origin)),
    trustProxy: take('ROSTER_TRUST_PROXY', '', listOf(cidr)),
    metricsPort: take('ROSTER_METRICS_PORT', '9464', wholeNumber(0, 65_535)),
    rowSecurity: take('ROSTER_ROW_SECURITY', 'off', onOrOff),
    redisUrl: take('ROSTER_REDIS_URL', '', redisUrl),
  };

  problems.push(...contradictions(config));
  for (const [name, text = ''] of Object.entries(environment)) {
    if (name.startsWith('ROSTER_') && !known.has(name))
      problems.push(...problemsOfUnknown(name, text, known));
  }
  if (problems.length > 0) throw new AppError('settings', `Bad settings: ${problems.join('. ')}.`);
  // Without a problem nothing is undefined.
  return config as Config;
}

/** A setting of an earlier version may stay where it changes nothing. */
function problemsOfUnknown(name: string, text: string, known: ReadonlySet<string>): string[] {
  if (name !== 'ROSTER_WORKERS') {
    const settings = [...known].filter((one) => /^ROSTER_.*(?<!_FILE)$/.test(one));
    return [`${name} is no setting; there are ${settings.join(', ')}`];
  }
  if (['', '1'].includes(text.trim())) return [];
  return [
    'ROSTER_WORKERS is gone; instead run one "roster serve" for each core, each with a PORT and a ROSTER_METRICS_PORT of its own, behind a proxy (deploy/haproxy.cfg, deploy/nginx.conf), and give them one ROSTER_REDIS_URL to share the rate limit',
  ];
}

/** The settings as they were read; undefined where one was refused. */
type Readings = { readonly [Name in keyof Config]: Config[Name] | undefined };

/** Mistakes in combinations of settings that are each right. */
function contradictions({ port, metricsPort, databaseUrl: url, rowSecurity }: Readings): string[] {
  const found: string[] = [];
  if (port !== undefined && port !== 0 && port === metricsPort)
    found.push('PORT and ROSTER_METRICS_PORT are the same; allowed are two ports, or 0 for no metrics');
  if (rowSecurity === true && url?.startsWith('sqlite:') === true)
    found.push('ROSTER_ROW_SECURITY needs PostgreSQL; set it to off');
  return found;
}

function secretText(
  name: string,
  texts: ReadonlyMap<string, string>,
  problems: string[],
): string | undefined {
  const file = texts.get(`${name}_FILE`);
  if (file === undefined) return texts.get(name);
  if (texts.has(name)) problems.push(`${name} and ${name}_FILE are both set; keep one`);
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    problems.push(`${name}_FILE names a file that cannot be read; allowed is the path of a readable file`);
    return undefined;
  }
}

function host(text: string): string | { problem: string } {
  return isIP(text) > 0 || /^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(text)
    ? text
    : { problem: 'is no address; allowed is an IP address or a host name' };
}

function wholeNumber(min: number, max: number): Read<number> {
  return (text) => {
    const value = Number(text);
    return /^\d{1,10}$/.test(text) && value >= min && value <= max
      ? value
      : { problem: `${unlikeANumber(text)}; allowed is a whole number from ${min} to ${max}` };
  };
}

function oneOf<Word extends string>(words: readonly Word[]): Read<Word> {
  return (text) =>
    words.find((word) => word === text.toLowerCase()) ?? {
      problem: `is unknown; allowed is one of ${words.join(', ')}`,
    };
}

function onOrOff(text: string): boolean | { problem: string } {
  return text === 'on' || text === 'off' ? text === 'on' : { problem: 'is neither; allowed are on and off' };
}

function listOf(read: Read<string>): Read<string[]> {
  return (text) => {
    const items = text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
      .map(read);
    return items.find((item) => typeof item === 'object') ?? (items as string[]);
  };
}

function origin(text: string): string | { problem: string } {
  return URL.parse(text)?.origin === text && /^https?:/.test(text)
    ? text
    : {
        problem:
          'holds something else than origins; allowed are such as https://app.example.com, separated by commas',
      };
}

function cidr(text: string): string | { problem: string } {
  try {
    withinCidrs([text]);
    return text;
  } catch {
    return {
      problem: 'holds something else than CIDRs; allowed are such as 10.0.0.0/8, separated by commas',
    };
  }
}

function unlikeANumber(text: string): string {
  return /^-?\d+$/.test(text) ? 'is out of range' : 'is no whole number';
}
