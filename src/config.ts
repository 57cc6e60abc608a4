import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';

import { databaseUrl, redisUrl } from './config-urls.ts';
import { AppError } from './errors.ts';
import { withinCidrs } from './values/cidr.ts';

export interface Config {
  host: string;
  /** 0 is any free port. */
  port: number;
  portIsChosen: boolean;
  databaseUrl: string;
  /** Where several processes share the rate limit; empty is none. */
  redisUrl: string;
  logLevel: LogLevel;
  /** Requests a minute for each key; 0 is no limit. */
  rateLimit: number;
  corsOrigins: string[];
  trustProxy: string[];
  /** On the loopback; 0 is off. */
  metricsPort: number;
  /** Whether PostgreSQL's row-level security guards `serve`. */
  rowSecurity: boolean;
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
type LogLevel = (typeof logLevels)[number];

type Environment = Readonly<Record<string, string | undefined>>;
type Readings = { readonly [Name in keyof Config]: Config[Name] | undefined };
type Read<T> = (text: string) => T | { error: string };

const secrets = new Set(['DATABASE_URL', 'ROSTER_REDIS_URL']);

/** Throws one `settings` error with every mistake in the environment. */
export function readConfig(environment: Environment): Config {
  const errors: string[] = [];
  const texts = new Map<string, string>();
  const known = new Set<string>();
  for (const [name, text = ''] of Object.entries(environment)) if (text !== '') texts.set(name, text);

  const take = <T>(name: string, fallback: string, read: Read<T>): T | undefined => {
    known.add(name);
    if (secrets.has(name)) known.add(`${name}_FILE`);
    const text = secrets.has(name) ? secretText(name, texts, errors) : texts.get(name);
    const value = read((text ?? fallback).trim());
    if (typeof value !== 'object' || value === null || !('error' in value)) return value;
    const isInFile = secrets.has(name) && texts.has(`${name}_FILE`);
    errors.push(`${isInFile ? `${name}_FILE holds what` : name} ${value.error}`);
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

  errors.push(...contradictions(config));
  for (const [name, text = ''] of Object.entries(environment)) {
    if (name.startsWith('ROSTER_') && !known.has(name)) errors.push(...unknownSetting(name, text, known));
  }
  if (errors.length > 0) throw new AppError('settings', `Bad settings: ${errors.join('. ')}.`);
  return config as Config;
}

function unknownSetting(name: string, text: string, known: ReadonlySet<string>): string[] {
  if (name !== 'ROSTER_WORKERS') {
    const settings = [...known].filter((one) => /^ROSTER_.*(?<!_FILE)$/.test(one));
    return [`${name} is no setting; there are ${settings.join(', ')}`];
  }
  if (['', '1'].includes(text.trim())) return [];
  return [
    'ROSTER_WORKERS is gone; instead run one "roster serve" for each core, each with a PORT and a ROSTER_METRICS_PORT of its own, behind a proxy (deploy/haproxy.cfg, deploy/nginx.conf), and give them one ROSTER_REDIS_URL to share the rate limit',
  ];
}

function contradictions({ port, metricsPort, databaseUrl: url, rowSecurity }: Readings): string[] {
  const found: string[] = [];
  if (port !== undefined && port !== 0 && port === metricsPort)
    found.push('PORT and ROSTER_METRICS_PORT are the same; allowed are two ports, or 0 for no metrics');
  if (rowSecurity === true && url?.startsWith('sqlite:') === true)
    found.push('ROSTER_ROW_SECURITY needs PostgreSQL; set it to off');
  return found;
}

function secretText(name: string, texts: ReadonlyMap<string, string>, errors: string[]): string | undefined {
  const file = texts.get(`${name}_FILE`);
  if (file === undefined) return texts.get(name);
  if (texts.has(name)) errors.push(`${name} and ${name}_FILE are both set; keep one`);
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    errors.push(`${name}_FILE names a file that cannot be read; allowed is the path of a readable file`);
    return undefined;
  }
}

function host(text: string): string | { error: string } {
  return isIP(text) > 0 || /^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(text)
    ? text
    : { error: 'is no address; allowed is an IP address or a host name' };
}

function wholeNumber(min: number, max: number): Read<number> {
  return (text) => {
    const value = Number(text);
    if (/^\d{1,10}$/.test(text) && value >= min && value <= max) return value;
    const error = /^-?\d+$/.test(text) ? 'is out of range' : 'is no whole number';
    return { error: `${error}; allowed is a whole number from ${min} to ${max}` };
  };
}

function oneOf<Word extends string>(words: readonly Word[]): Read<Word> {
  return (text) =>
    words.find((word) => word === text.toLowerCase()) ?? {
      error: `is unknown; allowed is one of ${words.join(', ')}`,
    };
}

function onOrOff(text: string): boolean | { error: string } {
  return text === 'on' || text === 'off' ? text === 'on' : { error: 'is neither; allowed are on and off' };
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

function origin(text: string): string | { error: string } {
  if (URL.parse(text)?.origin === text && /^https?:/.test(text)) return text;
  const allowed = 'allowed are such as https://app.example.com, separated by commas';
  return { error: `holds something else than origins; ${allowed}` };
}

function cidr(text: string): string | { error: string } {
  try {
    withinCidrs([text]);
    return text;
  } catch {
    return { error: 'holds something else than CIDRs; allowed are such as 10.0.0.0/8, separated by commas' };
  }
}
