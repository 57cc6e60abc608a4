import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';

import { describe, expect, it } from 'vitest';

import { browserOfWorker } from '../support/browser.ts';
import { aServedClient } from '../support/client.ts';
import { listening } from '../support/listening.ts';

const sources = new URL('../../clients/typescript/src/', import.meta.url);

/** A site of its own that brings the client to a page. */
async function aSite() {
  const server = createServer((request, response) => {
    const [, file] = /^\/client\/([\w/]+\.ts)$/.exec(request.url ?? '') ?? [];
    response.setHeader('content-type', file === undefined ? 'text/html' : 'text/javascript');
    response.end(
      file === undefined
        ? '<!doctype html><link rel="icon" href="data:,">'
        : stripTypeScriptTypes(readFileSync(new URL(file, sources), 'utf8')),
    );
  });
  return listening(server);
}

// A text, as the functions of this file are changed by the test runner.
const inThePage = (given: object) => `(async ({ baseUrl, apiKey, chatbotId }) => {
  const { RosterClient, RosterError, RosterConnectionError } = await import('/client/index.ts');
  const client = new RosterClient({ baseUrl, apiKey, retries: 0 });
  const failure = (promise) => promise.then(() => null, (error) => error);
  const names = [];
  for await (const { name } of client.listContacts({ chatbotId, per_page: 10 })) names.push(name);
  const properties = { name: 'Zoë' };
  const create = () => client.createContact({ chatbotId, properties }, { idempotencyKey: 'once' }).withResponse();
  const [made, again] = [await create(), await create()];
  const contactId = made.data.id;
  const seen = await client.retrieveContact({ chatbotId, contactId }).withResponse();
  const change = { chatbotId, contactId, properties: { company: 'Acme' } };
  const { company } = await client.updateContact(change, { ifMatch: seen.etag });
  const stale = await failure(client.updateContact({ ...change, properties }, { ifMatch: seen.etag }));
  const wrong = await failure(client.createContact({ chatbotId, properties: { email: 'x' } }));
  const abort = new AbortController();
  const waiting = failure(client.listEvents({ after: await end(client), wait: 20 }, { signal: abort.signal }));
  abort.abort(new Error('enough'));
  const nowhere = new RosterClient({ baseUrl: location.origin + '/v2', apiKey, retries: 0 });
  async function end(one) {
    let after = '*';
    for await (const page of one.listEvents({}).pages()) after = page.next_cursor;
    return after;
  }
  await client.deleteContact({ chatbotId, contactId });
  return {
    names: names.length,
    location: made.location,
    contactId,
    replayed: [made.replayed, again.replayed],
    limit: seen.rateLimit.limit,
    requestId: seen.requestId,
    company,
    stale: [stale instanceof RosterError, stale.status],
    wrong: [wrong.code, wrong.requestId !== undefined, wrong.fieldErrors[0].field],
    aborted: (await waiting).message,
    nowhere: (await failure(nowhere.retrieveApiKey())).name,
  };
})(${JSON.stringify(given)})`;

describe('the client in Chromium', () => {
  it('reads and writes across origins, and sees the headers that it is allowed to see', async () => {
    using site = await aSite();
    const settings = { corsOrigins: [site.address], rateLimit: 300 };
    await using at = await aServedClient({ contacts: 25, settings });
    const page = await (await browserOfWorker()).newPage();
    const problems: string[] = [];
    page.on('pageerror', (error) => void problems.push(error.message));
    await page.goto(site.address);
    const given = { baseUrl: `${at.address}/v2`, apiKey: at.token, chatbotId: at.chatbotId };
    const told = await page.evaluate(inThePage(given));
    const { contactId } = told as { contactId: string };
    expect(told).toEqual({
      names: 25,
      location: `/v2/chatbots/${at.chatbotId}/contacts/${contactId}`,
      contactId,
      replayed: [false, true],
      limit: 300,
      requestId: expect.stringMatching(/./),
      company: 'Acme',
      stale: [true, 412],
      wrong: ['validation_failed', true, 'properties.email'],
      aborted: 'enough',
      nowhere: 'RosterError',
    });
    expect(problems).toEqual([]);
    await page.goto(site.address.replace('127.0.0.1', 'localhost'));
    // An origin that is not allowed: the browser keeps the answer to itself.
    await expect(page.evaluate(inThePage(given))).rejects.toThrow('no answer');
    await page.close();
  });
});
