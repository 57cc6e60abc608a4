import { describe, expect, it } from 'vitest';

import { contactSteps } from '../../src/chatling/contact-steps.ts';
import { openSource } from '../../src/chatling/source.ts';
import type { ImportWalk } from '../../src/contacts/import-walk.ts';
import { openRequests } from '../../src/outgoing/requests.ts';
import { openApp, portOf } from '../support/app.ts';
import { aContact, aProject, storeContacts } from '../support/people.ts';

const limits = { perMinute: 60_000, timeoutMs: 30_000, bytesMax: 1_048_576 };
const people = (prefix: string, year: number, count: number) =>
  Array.from({ length: count }, (_, index) => {
    const id = `${prefix}-${String(index).padStart(3, '0')}`;
    return aContact({ id, email: `${id}@example.com`, created_at: `${year}-01-01T00:00:00+00:00` });
  });

async function aRoster(count: number) {
  const opened = await openApp();
  const there = people('there', 2024, count);
  const { projectId, chatbotId, token: key } = await aProject(opened.store, { contacts: there });
  const baseUrl = `http://127.0.0.1:${await portOf(opened.app)}/v2`;
  const requests = openRequests({ ...limits, signal: new AbortController().signal });
  return {
    ids: there.map(({ id }) => id),
    source: await openSource({ baseUrl, key, requests }),
    chatbotId,
    store: (prefix: string, year: number, more: number) =>
      storeContacts(opened.store, projectId, chatbotId, people(prefix, year, more)),
    [Symbol.asyncDispose]: opened[Symbol.asyncDispose],
  };
}

const areKnown = async () => false;

describe('another Roster', () => {
  it('is read so that nobody who is there throughout is missed, though contacts of an old date come meanwhile', async () => {
    await using roster = await aRoster(250);
    const met = new Set<unknown>();
    const areMet = async (items: readonly { id?: unknown }[]) => items.every(({ id }) => met.has(id));
    const lefts: number[] = [];
    for await (const { items, left } of contactSteps(roster.source, roster.chatbotId, areMet)) {
      for (const { id } of items) met.add(id);
      lefts.push(left);
      if (lefts.length < 3) await roster.store(`old-${lefts.length}`, 2020, 100);
    }
    expect(roster.ids.filter((id) => !met.has(id))).toEqual([]);
    expect(lefts).toEqual([150, 50, 0]);
  });

  it('is read from the place where an earlier walk ended', async () => {
    await using roster = await aRoster(120);
    const walks: ImportWalk[] = [];
    for await (const { walk } of contactSteps(roster.source, roster.chatbotId, areKnown)) walks.push(walk);
    expect(walks.map(({ phase }) => phase)).toEqual(['whole', 'tail']);
    await roster.store('new', 2025, 30);
    const since = async (walk: ImportWalk | undefined) => {
      const met: unknown[] = [];
      for await (const { items } of contactSteps(roster.source, roster.chatbotId, areKnown, walk)) met.push(...items);
      return met.length;
    };
    expect([await since(walks[0]), await since(walks[1])]).toEqual([50, 50]);
  });
});
