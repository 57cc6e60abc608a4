/**
 * Express 5 on the same SQLite file: key, look-up and JSON, as one would write it in an afternoon. It knows the
 * keys at its start, and has neither limit nor log nor request id.
 */
import { hash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';

import express from 'express';

const db = new DatabaseSync(process.argv[2] ?? '', { readOnly: true });
const projectOf = new Map(
  db
    .prepare('select token_hash, project_id from api_keys')
    .all()
    .map((row) => [String(row['token_hash']), String(row['project_id'])]),
);
const contact = db.prepare(
  'select id, name, email, job_title, phone, website, company, created_at from contacts where project_id = ? and chatbot_id = ? and id = ?',
);
const count = db.prepare('select count(*) as total from members where project_id = ?');
const members = db.prepare(
  'select email, status, roles from members where project_id = ? order by position limit ? offset ?',
);

const app = express();
app.use('/v2', (request, response, next) => {
  const token = /^bearer (.+)$/i.exec(request.get('authorization') ?? '')?.[1] ?? '';
  const project = projectOf.get(hash('sha256', token, 'hex'));
  if (project === undefined) {
    response.status(401).json({ status: 'error', message: 'A valid API key is required' });
    return;
  }
  response.locals['project'] = project;
  next();
});
app.get('/v2/chatbots/:chatbotId/contacts/:contactId', (request, response) => {
  const { chatbotId, contactId } = request.params;
  const data = contact.get(String(response.locals['project']), chatbotId, contactId);
  if (data) response.json({ status: 'success', data });
  else response.status(404).json({ status: 'error', message: 'Not found' });
});
app.get('/v2/members', (request, response) => {
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
