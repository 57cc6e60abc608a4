import { METHODS } from 'node:http';

import { describe, expect, it } from 'vitest';

import { openApp } from '../support/app.ts';
import { document } from '../support/document.ts';
import { aContact, aProject } from '../support/people.ts';

const operations = Object.entries(document.paths).map(([template, item]) => ({
  template,
  path: template.replace('{chatbotId}', 'bot').replace('{contactId}', 'one'),
  ...(item['get'] as NonNullable<(typeof item)['get']>),
}));

describe.each(operations)('$operationId', ({ template, path, responses, security }) => {
  it('asks for a key, in the document as in fact, if it is under /v2', async () => {
    await using server = await openApp();
    const guarded = template.startsWith('/v2/');
    expect(security).toEqual(guarded ? [{ apiKey: [] }] : []);
    expect((await server.get(path)).status).toBe(guarded ? 401 : 200);
  });

  it('documents its failures', () => {
    const wanted = template.startsWith('/v2/')
      ? ['200', '304', '400', '401', '403', '408', '414', '429', '431', '500', '503']
      : ['200', '500', '503'];
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(wanted));
  });

  it('answers HEAD like GET, without a body', async () => {
    await using server = await openApp();
    const { token } = await aProject(server.store, { chatbotId: 'bot', contacts: [aContact({ id: 'one' })] });
    const headers = { authorization: `Bearer ${token}`, 'x-request-id': 'same' };
    const get = await server.ask({ url: path, headers });
    const head = await server.ask({ method: 'HEAD', url: path, headers });
    expect([get.status, head.status, head.body]).toEqual([200, 200, '']);
    const { date: _, ...headersOfGet } = get.headers;
    expect(head.headers).toMatchObject(headersOfGet);
  });

  it('answers 405 with Allow to every other method, with or without a key', async () => {
    await using server = await openApp();
    for (const method of METHODS.filter((one) => !['GET', 'HEAD', 'CONNECT'].includes(one))) {
      const { status, headers, json } = await server.ask({ method: method, url: path });
      expect([method, status, headers['allow'], json.status]).toEqual([method, 405, 'GET, HEAD', 'error']);
    }
  });
});

describe('the document', () => {
  it('has both operations of the interface, and the health checks', () => {
    expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual([
      'getLiveness',
      'getReadiness',
      'listMembers',
      'retrieveContact',
    ]);
  });

  it('is served as it is committed', async () => {
    await using server = await openApp();
    const { status, body, headers } = await server.get('/openapi.json');
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(JSON.parse(body)).toEqual(document);
  });

  it('is what the routes say', async () => {
    const { buildDocument } = await import('../../scripts/openapi-document.ts');
    expect(await buildDocument(), 'openapi.json is stale: npm run openapi').toEqual(document);
  });
});

describe('/docs', () => {
  it('is a page that loads nothing from another host', async () => {
    await using server = await openApp();
    const page = await server.get('/docs');
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.body).not.toMatch(/(src|href)="(https?:)?\/\//);
    const script = await server.get('/docs/js/scalar.js');
    expect(script.status).toBe(200);
    expect(script.headers['content-type']).toContain('javascript');
  });
});
