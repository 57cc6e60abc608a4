import { describe, expect, it } from 'vitest';

import { type Actor, operator } from '../../src/actor.ts';
import { sql } from '../../src/database/sql.ts';
import { changed, unchanged } from '../../src/events/event.ts';
import type { IdempotentRequest, KeptRequest } from '../../src/idempotency.ts';
import { run, write } from '../../src/operation.ts';
import type { Store } from '../../src/store.ts';
import { addSeconds, formatTimestamp } from '../../src/values/timestamp.ts';
import { at } from '../support/clock.ts';
import { engines, shared } from '../support/engines.ts';
import { eventsOf } from '../support/events.ts';
import { aProject } from '../support/people.ts';

const noon = new Date('2026-01-01T12:00:00Z');
const day = 24 * 3_600;
const request: IdempotentRequest = { keyHash: 'hash of the key', requestDigest: 'digest of the request' };

/** Claims the key as a request at that time does, and keeps a result where nobody has. */
function ask(
  store: Store,
  { projectId, keyId }: { projectId: string; keyId: string },
  { result = { id: 'kept' }, time = noon }: { result?: unknown; time?: Date } = {},
): Promise<KeptRequest | undefined> {
  return store.write(operator(projectId), async ({ idempotency }) => {
    const now = { at: formatTimestamp(time), forgetBefore: formatTimestamp(addSeconds(time, -day)) };
    const kept = await idempotency.claim(projectId, keyId, request, now);
    if (!kept) await idempotency.keep(projectId, keyId, request.keyHash, result);
    return unchanged(kept);
  });
}

const asKept = { requestDigest: request.requestDigest, result: { id: 'kept' } };

describe.each(engines)('idempotency keys on $engine', ({ open }) => {
  const opened = shared(open);
  const rowsOf = async ({ projectId }: { projectId: string }) =>
    (await opened.database.all(sql`select 1 from idempotency_keys where project_id = ${projectId}`)).length;

  it('are forgotten after 24 hours, and not before', async () => {
    const key = await aProject(opened.store);
    await ask(opened.store, key);
    expect(await ask(opened.store, key, { time: addSeconds(noon, day) })).toEqual(asKept);
    expect(await ask(opened.store, key, { time: addSeconds(noon, day + 1) })).toBeUndefined();
    expect(await rowsOf(key)).toBe(1);
  });

  it('are each forgotten by themselves, as a project may have very many', async () => {
    const key = await aProject(opened.store);
    const another = { ...key, keyId: 'another' };
    await ask(opened.store, key);
    await ask(opened.store, another);
    expect(await ask(opened.store, key, { time: addSeconds(noon, day + 1) })).toBeUndefined();
    expect(await rowsOf(key)).toBe(2);
  });

  it('of a project that was deleted meanwhile are not claimed, as the project is not found', async () => {
    const { keyId } = await aProject(opened.store);
    await expect(ask(opened.store, { projectId: 'gone', keyId })).rejects.toMatchObject({
      code: 'not_found',
      about: 'project',
    });
  });

  it('belong to one API key of one project', async () => {
    const one = await aProject(opened.store);
    const other = await aProject(opened.store);
    await ask(opened.store, one);
    expect(await ask(opened.store, { ...one, keyId: other.keyId })).toBeUndefined();
    expect(await ask(opened.store, { ...other, keyId: one.keyId })).toBeUndefined();
    expect(await ask(opened.store, one)).toEqual(asKept);
  });
});

it('an idempotency key of a request that does not end soon is in progress, and free after it', async () => {
  const [, postgres] = engines;
  await using opened = await postgres.open();
  const serving = await opened.another(true);
  const key = await aProject(opened.store);
  const now = { at: formatTimestamp(noon), forgetBefore: formatTimestamp(noon) };
  await opened.store.write(operator(key.projectId), async ({ idempotency }) => {
    await idempotency.claim(key.projectId, key.keyId, request, now);
    await expect(ask(serving, key)).rejects.toMatchObject({ code: 'idempotency_in_progress' });
    await idempotency.keep(key.projectId, key.keyId, request.keyHash, { id: 'kept' });
    return unchanged(undefined);
  });
  expect(await ask(serving, key)).toEqual(asKept);
});

let made = 0;
const makeChatbot = write({
  name: 'makeChatbot',
  scope: 'chatbots:write',
  run: async ({ chatbots }, { projectId }, { fails = false }: { fails?: boolean }) => {
    const id = `made-${made++}`;
    const chatbot = { id, name: 'Made', project_id: projectId, created_at: formatTimestamp(noon) };
    await chatbots.insert(chatbot);
    if (fails) throw new Error('changed its mind');
    return changed(chatbot, { type: 'chatbot.created', chatbot_id: id });
  },
  repeat: {
    keep: ({ id }) => ({ id }),
    render: async ({ chatbots }, { projectId }, { id }: { id: string }) => {
      const chatbot = await chatbots.find(projectId, id);
      if (!chatbot) throw new Error('gone');
      return chatbot;
    },
  },
});

describe.each(engines)('a write that is repeated with its idempotency key on $engine', ({ open }) => {
  const opened = shared(open);

  const actorOf = (key: { projectId: string; keyId: string }): Actor => ({
    type: 'key',
    id: key.keyId,
    projectId: key.projectId,
    scopes: ['chatbots:write'],
    requestId: null,
  });

  it('is done once, and answered each time from what is stored now', async () => {
    const key = await aProject(opened.store);
    const options = { idempotent: request };
    const once = () => run(makeChatbot, opened.store, actorOf(key), {}, options);
    const [first, ...others] = await Promise.all([once(), once(), once()]);
    const { id } = first.output;
    expect(others.map(({ output }) => output.id)).toEqual([id, id]);
    expect([first, ...others].filter(({ replayed }) => !replayed)).toHaveLength(1);
    await opened.database.script(`update chatbots set name = 'Renamed' where id = '${id}'`);
    expect(await once()).toMatchObject({ replayed: true, output: { id, name: 'Renamed' } });
    expect(await opened.store.chatbots.list(key.projectId)).toHaveLength(2);
    const types = ['chatbot.created'] as const;
    expect(await eventsOf(opened.store, key.projectId, { types, after: 2n })).toHaveLength(1);
    const anotherDay = new Date(Date.now() + (day + 1) * 1_000);
    expect(await at(anotherDay, once)).toMatchObject({ replayed: false });
  });

  it('is refused where the key came with another request, and free where the first failed', async () => {
    const actor = actorOf(await aProject(opened.store));
    const options = { idempotent: request };
    const failed = run(makeChatbot, opened.store, actor, { fails: true }, options);
    await expect(failed).rejects.toThrow('changed its mind');
    expect(await run(makeChatbot, opened.store, actor, {}, options)).toMatchObject({ replayed: false });
    const other = { idempotent: { ...request, requestDigest: 'another' } };
    await expect(run(makeChatbot, opened.store, actor, {}, other)).rejects.toMatchObject({
      code: 'idempotency_key_reused',
    });
    expect(await opened.store.chatbots.list(actor.projectId)).toHaveLength(2);
  });
});
