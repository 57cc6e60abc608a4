import { parseDuration } from '../values/timestamp.ts';
import { contactAddress, databaseUrl, publicUrl, redisUrl } from './urls.ts';
import { cidr, host, listOf, oneOf, origin, type ReadSetting, target, wholeNumber } from './values.ts';

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export interface Setting {
  variable: string;
  fallback: string;
  meaning: string;
  read: ReadSetting<unknown>;
  /** It may come from a file, and is never shown whole. */
  isSecret?: true;
}

/** Every setting: what reads, lists and explains settings goes by this table. */
export const settings = {
  host: { variable: 'HOST', fallback: '127.0.0.1', meaning: 'address where the API listens', read: host },
  port: { variable: 'PORT', fallback: '8080', meaning: 'its port; 0 is any free one', read: wholeNumber(0, 65_535) },
  databaseUrl: {
    variable: 'DATABASE_URL',
    fallback: 'sqlite:data/roster.db',
    meaning: 'sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE',
    read: databaseUrl,
    isSecret: true,
  },
  logLevel: {
    variable: 'LOG_LEVEL',
    fallback: 'info',
    meaning: 'trace to fatal, or silent; above info answers are not logged',
    read: oneOf(logLevels),
  },
  rateLimit: {
    variable: 'ROSTER_RATE_LIMIT',
    fallback: '300',
    meaning: 'requests a minute for each key; 0 is no limit',
    read: wholeNumber(0, 1_000_000_000),
  },
  projectRateLimit: {
    variable: 'ROSTER_PROJECT_RATE_LIMIT',
    fallback: '4 × ROSTER_RATE_LIMIT',
    meaning: 'requests a minute for all keys of a project together; 0 is no limit',
    // Undefined follows the limit of a key.
    read: (text) => (text === '4 × ROSTER_RATE_LIMIT' ? undefined : wholeNumber(0, 4_000_000_000)(text)),
  },
  corsOrigins: {
    variable: 'ROSTER_CORS_ORIGINS',
    fallback: '',
    meaning: 'origins that browsers may call from, separated by commas',
    read: listOf(origin),
  },
  trustProxy: {
    variable: 'ROSTER_TRUST_PROXY',
    fallback: '',
    meaning: 'CIDRs of proxies whose X-Forwarded-For counts, separated by commas',
    read: listOf(cidr),
  },
  metricsHost: {
    variable: 'ROSTER_METRICS_HOST',
    fallback: '127.0.0.1',
    meaning: 'address where the Prometheus metrics listen',
    read: host,
  },
  metricsPort: {
    variable: 'ROSTER_METRICS_PORT',
    fallback: '9464',
    meaning: 'their port; 0 is off',
    read: wholeNumber(0, 65_535),
  },
  publicUrl: {
    variable: 'ROSTER_PUBLIC_URL',
    fallback: 'http://localhost:PORT',
    // In the default, PORT is the port in use.
    meaning: 'where links for people begin; its host may be used to call /mcp',
    read: publicUrl,
  },
  binDays: {
    variable: 'ROSTER_BIN_DAYS',
    fallback: '30',
    meaning: 'days for which deleted contacts can be restored; 0 is not at all',
    read: wholeNumber(0, 36_500),
  },
  eventDays: {
    variable: 'ROSTER_EVENT_DAYS',
    fallback: '400',
    meaning: 'days for which events are kept',
    read: wholeNumber(1, 36_500),
  },
  webhookAllow: {
    variable: 'ROSTER_WEBHOOK_ALLOW',
    fallback: '',
    meaning: 'networks, addresses and hosts that webhooks may reach besides public addresses, separated by commas',
    read: listOf(target),
  },
  securityContact: {
    variable: 'ROSTER_SECURITY_CONTACT',
    fallback: '',
    meaning: 'mailto: or https: address in /.well-known/security.txt; empty is no such page',
    read: contactAddress,
  },
  backupDir: {
    variable: 'ROSTER_BACKUP_DIR',
    fallback: '',
    meaning: 'folder where a service on SQLite makes backups; empty is none',
    read: (text) => text,
  },
  backupEvery: {
    variable: 'ROSTER_BACKUP_EVERY',
    fallback: '24h',
    meaning: 'time from one of these backups to the next, such as 30m, 24h or 7d',
    read: (text) => {
      const seconds = parseDuration(text) ?? 0;
      return seconds > 0 ? seconds : { error: 'is no duration; allowed are durations such as 30m, 24h or 7d' };
    },
  },
  backupKeep: {
    variable: 'ROSTER_BACKUP_KEEP',
    fallback: '14',
    meaning: 'how many of these backups stay; older ones are removed',
    read: wholeNumber(1, 100_000),
  },
  backupCommand: {
    variable: 'ROSTER_BACKUP_COMMAND',
    fallback: '',
    meaning: 'program that copies each of these backups elsewhere; it gets the path; empty is none',
    read: (text) => text,
  },
  redisUrl: {
    variable: 'ROSTER_REDIS_URL',
    fallback: '',
    meaning: 'Redis or Valkey in which several processes share the rate limit',
    read: redisUrl,
    isSecret: true,
  },
} as const satisfies Record<string, Setting>;

type Settings = typeof settings;

export type Config = {
  [Name in keyof Settings]: Exclude<ReturnType<Settings[Name]['read']>, { error: string }>;
} & { portIsChosen: boolean };
