/**
 * Express 5 on the same SQLite file, doing the same work as one would write it with it: the key is looked up at each
 * request, so that a revocation holds; a limit, a request id, headers, ETag and a log line.
 */
import { hash, randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';

import express from 'express';
import { pino } from 'pino';
import { RateLimiterMemory } from 'rate-limiter-flexible';

const db = new DatabaseSync(process.argv[2] ?? '', { readOnly: true });
const key = db.prepare('select id, project_id, scopes, expires_at, revoked_at from api_keys where token_hash = ?');
const contact = db.prepare(
  'select id, name, email, job_title, phone, website, company, created_at from contacts where project_id = ? and chatbot_id = ? and id = ?',
);
const count = db.prepare('select count(*) as total from members where project_id = ?');
const members = db.prepare(
  'select email, status, roles from members where project_id = ? order by position limit ? offset ?',
);

const log = pino();
const perMinute = 1_000_000_000;
const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 });
const app = express().set('etag', 'strong').disable('x-powered-by');
app.use((request, response, next) => {
  const startedAt = performance.now();
  const requestId = request.get('x-request-id') ?? randomUUID();
  response.set({
    'x-request-id': requestId,
    'cache-control': 'private, no-store',
    vary: 'Authorization',
    'x-content-type-options': 'nosniff',
  });
  response.on('finish', () => {
    log.info({
      request_id: requestId,
      method: request.method,
      status: response.statusCode,
      duration_ms: performance.now() - startedAt,
      key_id: response.locals['keyId'],
    });
  });
  next();
});

const needs = (scope: string) => async (request: express.Request, response: express.Response) => {
  const token = /^bearer (.+)$/i.exec(request.get('authorization') ?? '')?.[1] ?? '';
  const found = key.get(hash('sha256', token, 'hex'));
  const expiresAt = found?.['expires_at'];
  const isOver = typeof expiresAt === 'string' && Date.parse(expiresAt) <= Date.now();
  if (!found || found['revoked_at'] !== null || isOver) {
    response.status(401).json({ status: 'error', message: 'A valid API key is required' });
    return false;
  }
  response.locals['keyId'] = found['id'];
  const state = await limiter.consume(String(found['id']));
  response.set({
    'x-ratelimit-limit': String(perMinute),
    'x-ratelimit-remaining': String(state.remainingPoints),
    'x-ratelimit-reset': String(Math.ceil((Date.now() + state.msBeforeNext) / 1000)),
  });
  if (!String(found['scopes']).split(',').includes(scope)) {
    response.status(403).json({ status: 'error', message: 'The API key lacks the scope' });
    return false;
  }
  response.locals['project'] = found['project_id'];
  return true;
};
const mayReadContacts = needs('contacts:read');
const mayReadMembers = needs('members:read');

app.get('/v2/chatbots/:chatbotId/contacts/:contactId', async (request, response) => {
  if (!(await mayReadContacts(request, response))) return;
  const { chatbotId, contactId } = request.params;
  const data = contact.get(String(response.locals['project']), chatbotId, contactId);
  if (data) response.json({ status: 'success', data });
  else response.status(404).json({ status: 'error', message: 'Not found' });
});
app.get('/v2/members', async (request, response) => {
  if (!(await mayReadMembers(request, response))) return;
  const project = String(response.locals['project']);
  const page = Number(request.query['page'] ?? 1);
  const perPage = Number(request.query['per_page'] ?? 15);
  const total = Number(count.get(project)?.['total']);
  const rows = members.all(project, perPage, (page - 1) * perPage);
  const list = rows.map(({ email, status, roles }) => ({ email, status, roles: String(roles).split(',') }));
  const pages = { current_page: page, last_page: Math.max(1, Math.ceil(total / perPage)), per_page: perPage };
  response.json({ status: 'success', data: { pages, members: list } });
});
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(`listening at http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}"`);
});
