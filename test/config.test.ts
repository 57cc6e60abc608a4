import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { readEnvFile } from '../src/config/env-file.ts';
import { examine, readConfig } from '../src/config/read-config.ts';
import { settings } from '../src/config/settings.ts';
import { withoutLogin } from '../src/config/urls.ts';
import { temporaryFolder } from './support/engines.ts';

describe('the settings', () => {
  it('have the documented defaults', () => {
    expect(readConfig({ PATH: '/bin', HOME: '/root' })).toEqual({
      host: '127.0.0.1',
      port: 8080,
      portIsChosen: false,
      databaseUrl: 'sqlite:data/roster.db',
      logLevel: 'info',
      rateLimit: 300,
      projectRateLimit: undefined,
      corsOrigins: [],
      trustProxy: [],
      metricsHost: '127.0.0.1',
      metricsPort: 9464,
      binDays: 30,
      publicUrl: 'http://localhost:PORT',
      eventDays: 400,
      webhookAllow: [],
      securityContact: '',
      backupDir: '',
      backupEvery: 86_400,
      backupKeep: 14,
      backupCommand: '',
      redisUrl: '',
    });
  });

  it('are read from the environment, an empty one being no setting', () => {
    expect(
      readConfig({
        HOST: '::',
        PORT: '9000',
        DATABASE_URL: 'sqlite:/var/lib/roster/roster.db',
        LOG_LEVEL: '',
        ROSTER_RATE_LIMIT: '0',
        ROSTER_PROJECT_RATE_LIMIT: '900',
        ROSTER_CORS_ORIGINS: 'https://app.example.com, http://localhost:3000',
        ROSTER_TRUST_PROXY: '10.0.0.0/8,::1/128,192.0.2.1',
        ROSTER_METRICS_PORT: '0',
        ROSTER_WEBHOOK_ALLOW: '10.0.0.0/8, 192.0.2.1:8443, fd00::/8, [::1]:5678, n8n.internal:5678, n8n',
        ROSTER_REDIS_URL: '',
      }),
    ).toMatchObject({
      host: '::',
      port: 9000,
      portIsChosen: true,
      databaseUrl: 'sqlite:/var/lib/roster/roster.db',
      logLevel: 'info',
      rateLimit: 0,
      projectRateLimit: 900,
      corsOrigins: ['https://app.example.com', 'http://localhost:3000'],
      trustProxy: ['10.0.0.0/8', '::1/128', '192.0.2.1'],
      metricsPort: 0,
      webhookAllow: ['10.0.0.0/8', '192.0.2.1:8443', 'fd00::/8', '[::1]:5678', 'n8n.internal:5678', 'n8n'],
    });
  });

  it.each(['0', '2', 'auto', 'all'])('ROSTER_WORKERS=%s is refused, with what to do instead', (value) => {
    expect(() => readConfig({ ROSTER_WORKERS: value })).toThrow(
      'Bad settings:\n  ROSTER_WORKERS is gone; instead run one "roster serve" for each core, each with a PORT and a ROSTER_METRICS_PORT of its own, behind a proxy (deploy/haproxy.cfg, deploy/nginx.conf), and give them one ROSTER_REDIS_URL to share the rate limit.',
    );
  });

  it.each(['on', 'true', 'yes'])('ROSTER_ROW_SECURITY=%s is refused, with what to do instead', (value) => {
    expect(() => readConfig({ ROSTER_ROW_SECURITY: value })).toThrow(
      /^Bad settings:\n {2}ROSTER_ROW_SECURITY is gone; remove it, and name a user .*\.$/,
    );
  });

  it.each([
    ['ROSTER_WORKERS', '1'],
    ['ROSTER_WORKERS', ' 1 '],
    ['ROSTER_WORKERS', ''],
    ['ROSTER_ROW_SECURITY', 'off'],
    ['ROSTER_ROW_SECURITY', ''],
  ])('%s="%s", the former default, is accepted', (name, value) => {
    expect(readConfig({ [name]: value })).toEqual(readConfig({}));
  });

  it.each([
    'postgres://db.example.com/roster',
    'postgresql://roster:p%40ss%2Fword@db.example.com:5433/roster?sslmode=verify-full',
    'postgres://roster@one:5432,two:5433,[::1]:5434/roster?target_session_attrs=read-write',
  ])('accept the PostgreSQL of %s', (url) => {
    expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url);
  });

  it.each([
    ['HOST', 'not a host'],
    ['PORT', '65536'],
    ['PORT', '80.5'],
    ['DATABASE_URL', 'roster.db'],
    ['DATABASE_URL', 'sqlite:'],
    ['DATABASE_URL', 'sqlite://roster.db'],
    ['DATABASE_URL', 'sqlite:~/roster.db'],
    ['DATABASE_URL', 'sqlite::memory:'],
    ['DATABASE_URL', 'sqlite:a\0b.db'],
    ['DATABASE_URL', 'mysql://db.example.com/roster'],
    ['DATABASE_URL', 'postgres://db.example.com'],
    ['DATABASE_URL', 'postgres://one:5432,,two:5432/roster'],
    ['DATABASE_URL', 'postgres://roster:pass@word@db.example.com/roster'],
    ['DATABASE_URL', 'postgres://one,two/roster?target_session_attrs=standby'],
    ['LOG_LEVEL', 'verbose'],
    ['ROSTER_RATE_LIMIT', '1e3'],
    ['ROSTER_PROJECT_RATE_LIMIT', '4 x 300'],
    ['ROSTER_CORS_ORIGINS', '*'],
    ['ROSTER_CORS_ORIGINS', 'https://app.example.com/'],
    ['ROSTER_TRUST_PROXY', '10.0.0.0/33'],
    ['ROSTER_TRUST_PROXY', 'all'],
    ['ROSTER_METRICS_HOST', '0.0.0.0:9464'],
    ['ROSTER_METRICS_PORT', 'off'],
    ['ROSTER_PUBLIC_URL', 'roster.example.com'],
    ['ROSTER_PUBLIC_URL', 'https://example.com/?page=1'],
    ['ROSTER_WEBHOOK_ALLOW', '10.0.0.0/33'],
    ['ROSTER_BACKUP_EVERY', 'daily'],
    ['ROSTER_BACKUP_EVERY', '0h'],
    ['ROSTER_BACKUP_KEEP', '0'],
    ['ROSTER_REDIS_URL', '127.0.0.1:6379'],
    ['ROSTER_REDIS_URL', 'redis://'],
    ['ROSTER_REDIS_URL', 'http://127.0.0.1:6379'],
    ['ROSTER_REDIS_URL', 'redis://127.0.0.1/name'],
    ['ROSTER_REDIS_URL', 'redis://127.0.0.1?db=1'],
    ['ROSTER_REDIS_URL', 'redis://:100%25%@127.0.0.1'],
  ])('%s=%s is refused, with what is allowed', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^Bad settings:\\n  ${name} .*allowed.*\\.$`));
  });

  it.each([
    ['ROSTER_RATELIMIT', 'ROSTER_RATE_LIMIT'],
    ['ROSTER_TRUST_PROXIES', 'ROSTER_TRUST_PROXY'],
    ['ROSTER_REDIS', 'ROSTER_REDIS_URL'],
    ['ROSTER_DATABASE_URL', 'DATABASE_URL'],
    ['ROSTER_PORT', 'PORT'],
  ])('%s is no setting, and %s is suggested', (name, meant) => {
    expect(() => readConfig({ [name]: '1' })).toThrow(`  ${name} is not a setting (did you mean ${meant}?).`);
  });

  it('that are like no other are answered with all that there are', () => {
    const names = Object.values(settings).map(({ variable }) => variable);
    const own = names.filter((name) => name.startsWith('ROSTER_'));
    expect(own).toContain('ROSTER_RATE_LIMIT');
    expect(() => readConfig({ ROSTER_NO_SUCH: '1' })).toThrow(
      `  ROSTER_NO_SUCH is not a setting; those that begin with ROSTER_ are ${own.join(', ')}.`,
    );
  });

  it('are called by their names, whatever else the environment holds', () => {
    expect(() => readConfig({ PORT: 'abc', PORT_FILE: 'port.txt' })).toThrow(/^Bad settings:\n  PORT is/);
  });

  it('that are the same port are refused, though each is right for itself', () => {
    expect(() => readConfig({ PORT: '9464' })).toThrow(/^Bad settings:\n {2}PORT and ROSTER_METRICS_PORT/);
  });

  it.each(['\n', '\r', '\u0085'])('that are a URL with a control character are refused, and never shown', (odd) => {
    const environment = { DATABASE_URL: `postgres://u:se${odd}cret@db.example.com/roster` };
    expect(() => readConfig(environment)).toThrow('DATABASE_URL holds a line break or another control character');
    expect(withoutLogin(`postgres://u:se${odd}cret@db.example.com/roster`)).toBe(
      'postgres://***@db.example.com/roster',
    );
  });

  it('name the file that a wrong one came from', () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'url.txt');
    writeFileSync(file, 'mysql://secret@db.example.com');
    expect(() => readConfig({ DATABASE_URL_FILE: file })).toThrow('DATABASE_URL_FILE holds what names no engine');
  });

  it.each(['redis://127.0.0.1', 'redis://[::1]:6380/2', 'rediss://roster:p%40ss%2Fword@redis.example.com:6380/'])(
    'name a Redis by %s',
    (url) => {
      expect(readConfig({ ROSTER_REDIS_URL: url }).redisUrl).toBe(url);
    },
  );

  it.each([
    ['DATABASE_URL', 'postgres://roster:hunter2@db.example.com/roster', 'postgres://***@db.example.com/roster'],
    [
      'DATABASE_URL',
      'postgres://roster:p?ss@db.example.com/roster?password=p%40ss',
      'postgres://***@db.example.com/roster',
    ],
    ['DATABASE_URL', 'postgres://one,two:5433/roster?user=ana', 'postgres://one,two:5433/roster'],
    ['DATABASE_URL', 'sqlite:data/hash?.db', 'sqlite:data/hash?.db'],
    ['ROSTER_REDIS_URL', 'rediss://roster:hun@ter2@redis.example.com:6380/2', 'rediss://***@redis.example.com:6380/2'],
    ['ROSTER_REDIS_URL', 'redis://:hun:ter2', null],
  ])('show %s=%s without user and password', (name, value, shown) => {
    const { effective } = examine({ [name]: value });
    expect(effective.find((one) => one.name === name)).toMatchObject({ value: shown, source: 'environment' });
  });

  it('that are wrong are all named at once, without a value that may be secret', () => {
    const wrong = {
      PORT: 'x',
      LOG_LEVEL: 'y',
      DATABASE_URL: 'postgres://roster:hunter2@db',
      ROSTER_REDIS_URL: 'rediss://:hunter2@redis.example.com/people',
      ROSTER_NO_SUCH: '1',
    };
    expect(() => readConfig(wrong)).toThrow(
      /^Bad settings:\n  PORT .*\.\n  DATABASE_URL .*\.\n  LOG_LEVEL .*\.\n  ROSTER_REDIS_URL .*\.\n  ROSTER_NO_SUCH is not a setting; .*\.$/,
    );
    expect(() => readConfig(wrong)).not.toThrow(/ROSTER_WORKERS/);
    expect(() => readConfig(wrong)).not.toThrow(/hunter2/);
  });

  it('that may be secret come from a file as well, but not from both', () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'url');
    writeFileSync(file, 'sqlite:from-file.db\n');
    expect(readConfig({ DATABASE_URL_FILE: file }).databaseUrl).toBe('sqlite:from-file.db');
    expect(() => readConfig({ DATABASE_URL_FILE: file, DATABASE_URL: 'sqlite:x' })).toThrow('both set');
    expect(() => readConfig({ DATABASE_URL_FILE: join(folder.path, 'missing') })).toThrow('cannot be read');
    writeFileSync(file, 'redis://:made-up@127.0.0.1\n');
    expect(readConfig({ ROSTER_REDIS_URL_FILE: file }).redisUrl).toBe('redis://:made-up@127.0.0.1');
    expect(readConfig({ ROSTER_REDIS_URL_FILE: '' }).redisUrl).toBe('');
  });

  it('come from the file of ROSTER_ENV_FILE where the environment has none, and say so', () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'roster.env');
    writeFileSync(file, '# of the service\nPORT=9000\nLOG_LEVEL="warn"\nDATABASE_URL_FILE=/no/such/file\n');
    const environment = { ROSTER_ENV_FILE: file, PORT: '9001', DATABASE_URL: 'sqlite:own.db' };
    expect(readConfig(environment)).toMatchObject({ port: 9001, logLevel: 'warn', databaseUrl: 'sqlite:own.db' });
    const { effective } = examine(environment);
    expect(effective.filter(({ name }) => name === 'PORT' || name === 'LOG_LEVEL')).toMatchObject([
      { name: 'PORT', value: '9001', source: 'environment', file: null },
      { name: 'LOG_LEVEL', value: 'warn', source: 'file', file },
    ]);
    writeFileSync(file, 'ROSTER_RATE_LIMITS=1\n');
    expect(() => readConfig({ ROSTER_ENV_FILE: file })).toThrow('did you mean ROSTER_RATE_LIMIT?');
  });

  it('may come from a file with a byte order mark, comments, blank lines, quotes and values of several lines', () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'roster.env');
    const texts = [
      '\uFEFFexport PORT=9000',
      "# don't",
      '',
      '; as systemd has it',
      "OTHER='two",
      "lines' # can't",
      ' HOST = ::1 ',
    ];
    writeFileSync(file, texts.join('\r\n'));
    expect(readConfig({ ROSTER_ENV_FILE: file })).toMatchObject({ port: 9000, host: '::1' });
  });

  it.each(['PORT 9000', 'PORT: 9000', '--port=9000'])('are not passed over in the line "%s"', (line) => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'roster.env');
    writeFileSync(file, `# one\n\nHOST=::1\n${line}\n`);
    expect(() => readConfig({ ROSTER_ENV_FILE: file })).toThrow(
      /^Bad settings:\n.* has neither NAME=value nor a comment in line 4; correct it\.$/,
    );
  });

  it('are refused when the named file cannot be read', () => {
    using folder = temporaryFolder();
    expect(() => readConfig({ ROSTER_ENV_FILE: '/no/such/file' })).toThrow(
      'names a file that does not exist; check its path.',
    );
    expect(() => readConfig({ ROSTER_ENV_FILE: folder.path })).toThrow('names a file that is a folder; name a file.');
  });

  it('are refused when the default file cannot be read, and need no such file', () => {
    using folder = temporaryFolder();
    // A folder fails for root as well.
    const file = readEnvFile({}, folder.path);
    expect(() => readConfig({}, file)).toThrow(
      `Bad settings:\n  ${folder.path} cannot be read by this user; run the command as its owner, with "sudo -u roster".`,
    );
    expect(readConfig({}, readEnvFile({}, join(folder.path, 'roster.env')))).toEqual(readConfig({}));
  });
});
