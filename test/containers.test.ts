import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';

import { noEnvFile } from '../src/config/env-file.ts';
import { readConfig } from '../src/config/read-config.ts';
import { temporaryFolder } from './support/engines.ts';
import { administer, startPostgres } from './support/postgres.ts';
import { anInstallation, serving } from './support/process.ts';
import { statementsOfRole } from './support/role-of-deploy.ts';

const deploy = fileURLToPath(new URL('../deploy/', import.meta.url));
const read = (file: string) => readFileSync(join(deploy, file), 'utf8');

type Variables = Record<string, string>;

/** The settings that the image gives every container. */
function variablesOfImage(): Variables {
  const [, lines = ''] = /^ENV ((?:.*\\\n)*.*)$/m.exec(read('../Dockerfile')) ?? [];
  return Object.fromEntries([...lines.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value]));
}

/** Reads settings as the program does in a container; throws where the program would end with 78. */
function configWith(variables: Variables) {
  using folder = temporaryFolder();
  const secret = join(folder.path, 'database-url');
  writeFileSync(secret, 'postgres://roster:made-up@db.example.com/roster\n');
  const given = Object.entries({ ...variablesOfImage(), ...variables }).map(([name, value]) => [
    name,
    name.endsWith('_FILE') ? secret : value.replace(/^\$\{\w+:-(.*)\}$/, '$1'),
  ]);
  return readConfig(Object.fromEntries(given) as Variables, noEnvFile);
}

interface Service {
  image: string;
  profiles?: string[];
  ports?: string[];
  command?: string[];
  environment?: Variables;
  secrets?: string[];
  volumes?: string[];
  depends_on?: Record<string, { condition: string }>;
  cap_drop?: string[];
  read_only?: boolean;
}

const composed = (file: string) => {
  const text = read(file);
  const {
    services,
    secrets = {},
    volumes,
  } = parse(text, { merge: true }) as {
    services: Record<string, Service>;
    secrets?: Record<string, { file: string }>;
    volumes: Record<string, null>;
  };
  return { text, services, secrets, volumes };
};

describe('the image', () => {
  it('serves /data/roster.db without any setting', () => {
    expect(configWith({})).toMatchObject({ host: '0.0.0.0', port: 8080, databaseUrl: 'sqlite:data/roster.db' });
    expect(read('../Dockerfile')).toMatch(/\nVOLUME \/data\nUSER 10001:10001\n(#.*\n)*WORKDIR \/\n/);
  });
});

describe('the files of Compose', () => {
  it.each(['compose.yaml', 'compose.postgres.yaml'])('%s has one port, on the loopback, and no password', (file) => {
    const { text, services, secrets, volumes } = composed(file);
    expect(Object.values(services).flatMap(({ ports = [] }) => ports)).toEqual(['127.0.0.1:8080:8080']);
    expect(text).not.toMatch(/PASSWORD:|postgres:\/\//);
    for (const { secrets: used = [], volumes: mounted = [], profiles } of Object.values(services)) {
      // A forgotten profile would start the wrong service.
      expect(profiles).toBeUndefined();
      for (const name of used) expect(secrets[name]?.file).toBe(`./secrets/${name}`);
      for (const mount of mounted.map((one) => one.split(':')[0] ?? '')) {
        expect(mount in volumes || existsSync(join(deploy, mount))).toBe(true);
      }
    }
  });

  it('start Roster on a volume, or on a PostgreSQL that was migrated before', () => {
    const sqlite = composed('compose.yaml').services;
    expect(Object.keys(sqlite)).toEqual(['roster']);
    expect(sqlite['roster']).toMatchObject({
      volumes: ['roster-data:/data', 'roster-backups:/backups'],
      read_only: true,
      cap_drop: ['ALL'],
    });
    expect(configWith(sqlite['roster']?.environment ?? {})).toMatchObject({
      databaseUrl: 'sqlite:data/roster.db',
      backupDir: '/backups',
    });
    const { roster, migrate, postgres } = composed('compose.postgres.yaml').services;
    expect(roster?.depends_on).toEqual({ migrate: { condition: 'service_completed_successfully' } });
    expect(configWith(roster?.environment ?? {})).toMatchObject({
      databaseUrl: 'postgres://roster:made-up@db.example.com/roster',
      backupDir: '',
    });
    expect(migrate).toMatchObject({ command: ['migrate'], depends_on: { postgres: { condition: 'service_healthy' } } });
    expect(postgres?.image).toMatch(/^postgres:18\b/);
  });

  it('make a role of PostgreSQL that owns the database and is no superuser, and with which Roster serves', async () => {
    await using server = await startPostgres(50);
    await administer(server.url, ...statementsOfRole());
    expect(
      await administer(
        server.url,
        `select rolsuper or rolcreatedb or rolcreaterole or rolreplication or rolbypassrls as is_mighty,
           pg_get_userbyid(datdba) as owner,
           (select rolpassword from pg_authid where rolname = 'postgres') as password_of_superuser
         from pg_roles join pg_database on datname = rolname where rolname = 'roster'`,
      ),
    ).toEqual([{ is_mighty: false, owner: 'roster', password_of_superuser: null }]);

    await using at = await anInstallation();
    const secret = join(at.folder, 'database-url');
    writeFileSync(secret, `postgres://roster@127.0.0.1:${server.port}/roster\n`);
    const env = { DATABASE_URL: '', DATABASE_URL_FILE: secret };
    expect(await at.run(['migrate'], { env })).toMatchObject({ code: 0 });
    const { address, child, ended } = await serving(at, env);
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
    expect((await at.run(['doctor'], { env })).stdout).toMatch(/no superuser/);
    child.kill();
    expect((await ended).code).toBe(0);
  });
});

interface Container {
  image: string;
  env: { name: string; value: string }[];
  envFrom: { configMapRef: { name: string } }[];
}

describe('the manifests of Kubernetes', () => {
  const documents = globSync('kubernetes/*.yaml', { cwd: deploy }).flatMap((file) =>
    parseAllDocuments(read(file)).map((document) => ({ file, text: document.toJS() as Record<string, never> })),
  );
  const ofKind = (kind: string) => documents.find(({ text }) => text['kind'] === kind)?.text ?? {};

  it('are all applied but the example of the secret', () => {
    const { resources } = ofKind('Kustomization') as unknown as { resources: string[] };
    const files = new Set(documents.map(({ file }) => file.replace('kubernetes/', '')));
    expect([...resources, 'kustomization.yaml', 'secret.example.yaml'].toSorted()).toEqual([...files].toSorted());
  });

  it('give Roster settings that it takes, and none that Kubernetes makes up', () => {
    const { spec } = ofKind('Deployment') as unknown as {
      spec: {
        template: { spec: { enableServiceLinks: boolean; containers: Container[]; initContainers: Container[] } };
      };
    };
    const { containers, initContainers, enableServiceLinks } = spec.template.spec;
    const { data } = ofKind('ConfigMap') as unknown as { data: Variables };
    expect(enableServiceLinks).toBe(false);
    for (const { env } of [...initContainers, ...containers]) {
      const variables = Object.fromEntries(env.map(({ name, value }) => [name, value]));
      expect(configWith({ ...data, ...variables }).databaseUrl).toMatch(/^postgres:/);
    }
  });
});
