/**
 * Express 5 that creates contacts as one would write it with it: the key is looked up at each request, the body is
 * checked, one insert is one commit. On SQLite with `synchronous=FULL` (`node express-writes.ts sqlite:FILE`), or on
 * PostgreSQL with a pool of ten. It keeps no events and no idempotency keys.
 */
import { hash, randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';

import express from 'express';
import { Pool } from 'pg';
import { pino } from 'pino';

type Values = (string | null)[];

/** A statement with `?`; a change is durable once it has resolved. */
type Ask = (text: string, values: Values) => Promise<Record<string, unknown> | undefined>;

const url = process.argv[2] ?? '';
const ask: Ask = url.startsWith('sqlite:') ? onSqlite(url.slice('sqlite:'.length)) : onPostgres(url);

function onSqlite(path: string): Ask {
  const db = new DatabaseSync(path);
  db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma busy_timeout = 5000');
  const statements = new Map<string, ReturnType<typeof db.prepare>>();
  return async (text, values) => {
    const statement = statements.get(text) ?? db.prepare(text);
    statements.set(text, statement);
    return statement.get(...values);
  };
}

function onPostgres(connectionString: string): Ask {
  const pool = new Pool({ connectionString, max: 10 });
  return async (text, values) => {
    let place = 0;
    const name = hash('sha256', text, 'hex').slice(0, 16);
    const result = await pool.query({ name, text: text.replaceAll('?', () => `$${++place}`), values });
    return result.rows[0] as Record<string, unknown> | undefined;
  };
}

const properties = ['name', 'email', 'phone', 'job_title', 'company', 'website'] as const;
const log = pino();
const app = express().disable('x-powered-by').use(express.json());

app.post('/v2/chatbots/:chatbotId/contacts', async (request, response) => {
  const startedAt = performance.now();
  const requestId = request.get('x-request-id') ?? randomUUID();
  const token = /^bearer (.+)$/i.exec(request.get('authorization') ?? '')?.[1] ?? '';
  const key = await ask('select id, project_id, scopes, revoked_at from api_keys where token_hash = ?', [
    hash('sha256', token, 'hex'),
  ]);
  if (!key || key['revoked_at'] !== null || !String(key['scopes']).includes('contacts:write')) {
    response.status(401).json({ status: 'error', message: 'A valid API key is required' });
    return;
  }
  const given = (request.body as { properties?: Record<string, unknown> }).properties ?? {};
  const isFine = properties.every((name) => given[name] === undefined || typeof given[name] === 'string');
  if (!isFine || !/^[^@\s]+@[^@\s]+$/.test(String(given['email']))) {
    response.status(422).json({ status: 'error', message: 'The request has invalid parameters' });
    return;
  }
  const { chatbotId } = request.params;
  const project = String(key['project_id']);
  if (!(await ask('select id from chatbots where project_id = ? and id = ?', [project, chatbotId]))) {
    response.status(404).json({ status: 'error', message: 'Not found' });
    return;
  }
  const id = randomUUID();
  const texts = properties.map((name) => (given[name] as string | undefined) ?? null);
  await ask(
    `insert into people (project_id, chatbot_id, id, ${properties.join(', ')}, created_at, email_key)
      values (?, ?, ?, ${properties.map(() => '?').join(', ')}, ?, ?)`,
    [project, chatbotId, id, ...texts, new Date().toISOString(), String(given['email']).toLowerCase()],
  );
  response.set({ 'x-request-id': requestId, location: `${request.path}/${id}` });
  response.status(201).json({ status: 'success', data: { id } });
  log.info({ request_id: requestId, status: 201, duration_ms: performance.now() - startedAt, key_id: key['id'] });
});
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(`listening at http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}"`);
});
