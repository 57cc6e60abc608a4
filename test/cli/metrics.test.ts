import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { openCurrentStore } from '../../src/cli/open.ts';
import { unchanged } from '../../src/events/event.ts';
import { ask } from '../support/clients.ts';
import { engineOfRun } from '../support/engines.ts';
import { eventsOf, report } from '../support/events.ts';
import { freePort } from '../support/free-port.ts';
import { aProject, createApiKey, revokeApiKey } from '../support/people.ts';
import { aSession } from '../support/postgres.ts';
import { anInstallation, aProjectThere, type Installation, serving, stop } from '../support/process.ts';
import { complaintsAbout, type Family, parseMetrics } from '../support/prometheus.ts';
import { exchange } from '../support/raw.ts';
import { aReceiver } from '../support/receiver.ts';
import { aRedis } from '../support/redis.ts';
import { aRetry, storeWebhook } from '../support/webhooks.ts';

const documentation = (file: string) => fileURLToPath(new URL(`../../docs/${file}`, import.meta.url));

/** `serve` with metrics on, and how to read them. */
async function measured(at: Installation, env: Record<string, string> = {}) {
  const ROSTER_METRICS_PORT = String(await freePort());
  const server = await serving(at, { ...env, ROSTER_METRICS_PORT });
  const text = async () => (await ask(`http://127.0.0.1:${ROSTER_METRICS_PORT}/metrics`)).body;
  return { ...server, text, families: async () => parseMetrics(await text()) };
}

/** A sum over the samples of a metric that have these labels. */
function total(families: ReadonlyMap<string, Family>, name: string, labels: Record<string, string> = {}): number {
  const { samples, type } = families.get(name) ?? { samples: [], type: 'missing' };
  return samples
    .filter((sample) => type !== 'histogram' || sample.name.endsWith('_count'))
    .filter((sample) => Object.entries(labels).every(([label, text]) => sample.labels[label] === text))
    .reduce((sum, { value }) => sum + value, 0);
}

/** Keeps the table of keys from everybody. */
async function lockedKeys(url: string): Promise<AsyncDisposable> {
  const session = await aSession(url);
  await session.query('begin', 'lock table api_keys in access exclusive mode');
  return session;
}

/** The metrics of docs/monitoring.md that are there where the program runs so. */
function documented(...where: string[]): string[] {
  const rows = readFileSync(documentation('monitoring.md'), 'utf8').matchAll(
    /^- `((?:http|db|roster|nodejs|process)_\w+)`(?: \{.*?\})?(?:, (\w[\w ]*))?(?::|$)/gm,
  );
  return Array.from(rows)
    .filter(([, , there = 'always']) => ['always', `on ${engineOfRun}`, ...where].includes(there))
    .map(([, name = '']) => name);
}

describe('the metrics of roster serve', () => {
  it('count what was refused by its reason, what was limited, and what the store was asked', async () => {
    await using at = await anInstallation();
    const { token } = await aProjectThere(at);
    await using store = await openCurrentStore(at.databaseUrl);
    const revoked = await createApiKey(store, 'acme', { name: 'revoked' });
    await revokeApiKey(store, revoked.key.id);
    const expired = await createApiKey(store, 'acme', { name: 'expired', expiresInSeconds: 0 });
    const server = await measured(at, { ROSTER_RATE_LIMIT: '4' });
    const members = `${server.address}/v2/members`;
    const statuses = async (url: string, credential?: string, times = 1) => {
      const headers: Record<string, string> = credential === undefined ? {} : { authorization: credential };
      const given: number[] = [];
      for (let i = 0; i < times; i++) given.push((await ask(url, headers)).status);
      return given;
    };
    expect(await statuses(members, `Bearer ${token}`, 5)).toEqual([200, 200, 200, 200, 429]);
    const miscopied = token.slice(0, -1) + (token.endsWith('0') ? '1' : '0');
    const refused = {
      missing: [undefined, 'Basic cGxhbnRlZDpwbGFudGVk'],
      malformed: [`Bearer ${miscopied}`, 'Bearer short'],
      unknown: ['Bearer planted-planted-planted'],
      revoked: [`Bearer ${revoked.token}`],
      expired: [`Bearer ${expired.token}`],
    };
    for (const credential of Object.values(refused).flat())
      // Twice, as what was found out about a key may be remembered.
      expect(await statuses(members, credential, 2)).toEqual([401, 401]);
    expect(await statuses(members, 'Bearer planted-planted-planted', 60)).toContain(429);

    const reasons = async () => {
      const families = await server.families();
      return Object.fromEntries(
        Object.keys(refused).map((reason) => [
          reason,
          total(families, 'roster_authentication_failures_total', { reason }),
        ]),
      );
    };
    // Why is looked up when the caller has its answer.
    await expect.poll(reasons).toEqual({ missing: 4, malformed: 4, unknown: 62, revoked: 2, expired: 2 });
    const families = await server.families();
    expect(total(families, 'roster_limited_requests_total', { by: 'key' })).toBe(1);
    // 14 refusals before, and 60 are allowed.
    expect(total(families, 'roster_limited_requests_total', { by: 'address' })).toBe(14);
    expect(total(families, 'http_server_request_duration_seconds')).toBe(79);
    expect(total(families, 'http_server_active_requests')).toBe(0);
    const system = engineOfRun === 'SQLite' ? 'sqlite' : 'postgresql';
    const asked = (db_operation_name: string) =>
      total(families, 'db_client_operation_duration_seconds', { db_operation_name, db_system_name: system });
    expect(asked('members.list')).toBeGreaterThan(0);
    expect(asked('apiKeys.findByHash')).toBeGreaterThan(4);
    expect(await server.text()).not.toMatch(/planted|acme|rst_|127\.0\.0\.1/);
    await stop(server);
  });

  it('count failures of the store by their kind, and requests while they are in flight', async () => {
    await using at = await anInstallation();
    const { token } = await aProjectThere(at);
    const hook = `import { DatabaseSync } from 'node:sqlite';
      const fail = () => { throw Object.assign(new Error('disk I/O error'), { errcode: 10 }); };
      process.on('SIGUSR2', () => Object.assign(DatabaseSync.prototype, { prepare: fail }))`;
    const server = await measured(at, {
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}`,
    });
    await using _trouble = engineOfRun === 'PostgreSQL' ? await lockedKeys(at.databaseUrl) : null;
    server.child.kill('SIGUSR2');
    const active = async () => total(await server.families(), 'http_server_active_requests');
    const askOnce = async () =>
      (await ask(`${server.address}/v2/members`, { authorization: `Bearer ${token}` })).status;
    if (engineOfRun === 'PostgreSQL') {
      // Each waits for the lock for a while.
      const seen = new AbortController();
      const asking = (async () => {
        while (!seen.signal.aborted) await askOnce();
      })();
      await expect.poll(active, { timeout: 10_000, interval: 20 }).toBe(1);
      seen.abort();
      await asking;
    }
    await expect.poll(askOnce).toBe(503);
    const families = await server.families();
    const failed = { db_operation_name: 'apiKeys.findByHash', error_type: 'unavailable' };
    expect(total(families, 'db_client_operation_duration_seconds', failed)).toBeGreaterThan(0);
    expect(await active()).toBe(0);
  });

  it.runIf(engineOfRun === 'SQLite')(
    'count deliveries by outcome, and tell of webhooks without a URL, an id or a name',
    async () => {
      await using at = await anInstallation();
      await using store = await openCurrentStore(at.databaseUrl);
      const { projectId, chatbotId } = await aProject(store, { id: 'acme' });
      await using receiver = await aReceiver();
      receiver.answer = (response, number) => void response.writeHead(number === 1 ? 204 : 500).end();
      await storeWebhook(store, projectId, 'planted-one', { url: receiver.url });
      await storeWebhook(store, projectId, 'planted-two', { url: receiver.url, disabled_reason: 'gone' });
      await report(store, projectId, { type: 'contact.updated', chatbot_id: chatbotId, contact_id: 'planted-ana' });
      const server = await measured(at, { ROSTER_WEBHOOK_ALLOW: '127.0.0.1' });
      const count = async (outcome: string) =>
        total(await server.families(), 'roster_webhook_deliveries_total', { outcome });
      await expect.poll(() => count('delivered')).toBe(1);
      await report(store, projectId, { type: 'contact.updated', chatbot_id: chatbotId, contact_id: 'planted-bo' });
      await expect.poll(() => count('retrying')).toBeGreaterThan(0);
      const past = '2026-06-08T13:38:33+00:00';
      await storeWebhook(store, projectId, 'planted-three', { url: receiver.url, retry_at: past, attempts: 2 });
      const [last] = (await eventsOf(store, projectId)).slice(-1);
      const tenth = aRetry(Number(last?.sequence), { event_id: last?.id ?? '', attempt: 9, next_attempt_at: past });
      const gone = aRetry(1, { number: 2, next_attempt_at: past });
      await store.write(operator(projectId), async ({ webhooks }) =>
        unchanged(await webhooks.noteDeliveries(projectId, 'planted-three', [tenth, gone])),
      );
      await expect.poll(() => count('given_up')).toBe(2);
      const families = await server.families();
      expect(total(families, 'roster_webhooks', { state: 'disabled' })).toBe(1);
      expect(families.has('roster_webhook_oldest_event_age_seconds')).toBe(true);
      expect(await server.text()).not.toMatch(new RegExp(`planted|acme|127\\.0\\.0\\.1|${new URL(receiver.url).port}`));
    },
  );

  it('are those of docs/monitoring.md, in a form that promtool is content with', async () => {
    await using at = await anInstallation();
    const { token } = await aProjectThere(at);
    const backs = engineOfRun === 'SQLite';
    const one = await measured(at, backs ? { ROSTER_BACKUP_DIR: `${at.folder}/backups` } : {});
    await using redis = await aRedis();
    const two = await measured(at, { ROSTER_REDIS_URL: redis.url });
    for (const { address } of [one, two]) {
      for (const headers of [{}, { authorization: `Bearer ${token}` }]) {
        await ask(`${address}/v2/members`, headers);
        await ask(`${address}/v2/chatbots/8839210412/contacts/none`, headers);
      }
      await ask(`${address}/readyz`);
    }
    const ofOne = await one.families();
    const ofTwo = await two.families();
    for (const families of [ofOne, ofTwo]) expect(complaintsAbout(families)).toEqual([]);
    expect([...ofOne.keys()].toSorted()).toEqual(documented(backs ? 'with backups' : '').toSorted());
    expect([...ofTwo.keys()].toSorted()).toEqual(documented('with a shared limit').toSorted());
    // It is not a part of an installation; where there is one, it has the last word.
    for (const { text } of [one, two]) {
      const { error, status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
        input: await text(),
        encoding: 'utf8',
      });
      if (!error) expect([status, stdout, stderr]).toEqual([0, '', '']);
    }
  });

  it.runIf(engineOfRun === 'SQLite')('have no more series for all that callers make up', async () => {
    await using at = await anInstallation();
    const server = await measured(at, { ROSTER_RATE_LIMIT: '0' });
    const series = async () => {
      const families = await server.families();
      return [...families.values()].reduce((sum, { samples }) => sum + samples.length, 0);
    };
    const makeUp = async (from: number) => {
      for (const [index, method] of ['GET', 'HEAD', 'POST', 'PURGE', 'M-SEARCH', 'MKCOL', 'planted'].entries())
        for (const path of ['v2/planted', 'planted', 'v2/chatbots/planted/contacts/planted', 'v2/members?planted='])
          await exchange(
            Number(new URL(server.address).port),
            `${method} /${path}${from + index} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
          );
    };
    await makeUp(0);
    const before = await series();
    for (let round = 1; round < 3; round++) await makeUp(round * 100);
    expect(await series()).toBe(before);
    expect(total(await server.families(), 'http_server_request_duration_seconds')).toBe(3 * 28);
    expect(await server.text()).not.toMatch(/planted|PURGE|MKCOL|SEARCH/);
  });
});

describe.runIf(engineOfRun === 'SQLite').each(['prometheus-alerts.yaml', 'grafana-dashboard.json'])(
  'docs/%s',
  (file) => {
    it('names metrics that exist, and labels that they have', () => {
      const table = readFileSync(documentation('monitoring.md'), 'utf8');
      const rows = Array.from(table.matchAll(/^- `([a-z0-9_]+)`(?: \{(.*?)\})?/gm));
      const labelsOf = new Map(
        rows.map(([, name = '', labels = '']) => [name, [...labels.matchAll(/`(\w+)`/g)].map(([, one]) => one)]),
      );
      const text = readFileSync(documentation(file), 'utf8').replaceAll('\\"', '"');
      // Those of an expression stand before braces or an operator; a text beside it may name one in words.
      const named = Array.from(text.matchAll(/\b((?:http|db|roster|nodejs|process)_[a-z0-9_]+)\{([^}]*)\}/g));
      expect(named.length).toBeGreaterThan(10);
      for (const [, sample = '', selector = ''] of named) {
        const labels = labelsOf.get(sample) ?? labelsOf.get(sample.replace(/_(?:bucket|sum|count)$/, ''));
        expect([sample, labels]).toEqual([sample, expect.any(Array)]);
        for (const [, label] of selector.matchAll(/(\w+)(?:=|!=|=~|!~)"/g))
          expect(['job', 'instance', ...(labels ?? [])]).toContain(label);
      }
    });
  },
);

describe.runIf(engineOfRun === 'SQLite')('docs/prometheus-alerts.yaml', () => {
  it('says of each alert what to do, and is taken by Prometheus', () => {
    const text = readFileSync(documentation('prometheus-alerts.yaml'), 'utf8');
    const alerts = [...text.matchAll(/^ +- alert: /gm)];
    expect(alerts.length).toBeGreaterThan(10);
    expect([...text.matchAll(/^ +#.*\n +- alert: /gm)]).toHaveLength(alerts.length);
    const { error, status, stdout } = spawnSync(
      'promtool',
      ['check', 'rules', documentation('prometheus-alerts.yaml')],
      { encoding: 'utf8' },
    );
    if (!error) expect([status, stdout]).toEqual([0, expect.stringContaining(`${alerts.length} rules`)]);
  });
});
