import { getEventListeners } from 'node:events';
import { DatabaseSync } from 'node:sqlite';

import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import type { StoredContact } from '../../src/contacts/contact.ts';
import { searchContacts } from '../../src/contacts/search.ts';
import { upsertContact } from '../../src/contacts/upsert.ts';
import { unchanged } from '../../src/events/event.ts';
import { run } from '../../src/operation.ts';
import type { UnitOfWork } from '../../src/store.ts';
import { engines, shared } from '../support/engines.ts';
import { eventsOf } from '../support/events.ts';
import { aContact, aProject, storeContacts } from '../support/people.ts';
import { aSession } from '../support/postgres.ts';

describe.each(engines)('writes that arrive together on $engine', ({ open }) => {
  const opened = shared(open);

  /** A chatbot, with what writes a contact there as an operation would, and fails afterwards if told to. */
  async function aDesk() {
    const { store } = opened;
    const { projectId, chatbotId, keyId } = await aProject(store);
    const write = (
      contact: StoredContact,
      { after, signal }: { after?: (unit: UnitOfWork) => unknown; signal?: AbortSignal } = {},
    ) =>
      store.write(
        operator(projectId),
        async (unit) => {
          await unit.contacts.save(projectId, chatbotId, [{ after: contact }]);
          await after?.(unit);
          const created = { type: 'contact.created', chatbot_id: chatbotId, contact_id: contact.id } as const;
          return { output: contact.id, changes: [created] };
        },
        signal,
        [chatbotId],
      );
    const stored = async () =>
      (await Array.fromAsync(store.contacts.listAll(projectId, chatbotId))).flat().map(({ id }) => id);
    return { store, projectId, chatbotId, keyId, write, stored };
  }

  it('leave nothing at a signal that serves many of them', async () => {
    const { write } = await aDesk();
    const { signal } = new AbortController();
    for (let n = 0; n < 5; n++) await write(aContact({ id: `p${n}` }), { signal });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('are undone one by one: what one throws leaves the others, with events without gaps', async () => {
    const { store, projectId, chatbotId, write, stored } = await aDesk();
    const fail = (when: number) => (unit: UnitOfWork) => {
      if (when % 3 === 1) throw new Error('no');
      // Half of them also read, so that some need a savepoint and some do not.
      return when % 2 === 0 ? unit.contacts.find(projectId, chatbotId, 'x') : undefined;
    };
    const ids = Array.from({ length: 120 }, (_, i) => `c-${String(i).padStart(3, '0')}`);
    const outcomes = await Promise.allSettled(ids.map((id, i) => write(aContact({ id }), { after: fail(i) })));
    const kept = ids.filter((_, i) => i % 3 !== 1);
    expect(outcomes.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))).toEqual(kept);
    expect(await stored()).toEqual(kept);
    const events = await eventsOf(store, projectId);
    expect(events.flatMap(({ contact_id: id }) => id ?? [])).toEqual(kept);
    expect(events.map(({ sequence }) => Number(sequence))).toEqual(events.map((_, i) => i + 1));
  });

  it('fail alone where the engine refuses their row', async () => {
    const { write, stored } = await aDesk();
    const people = ['a', 'b', 'c', 'd'].map((id) => aContact({ id, ...(id === 'c' && { phone: '' }) }));
    const outcomes = await Promise.allSettled(people.map((contact) => write(contact)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(await stored()).toEqual(['a', 'b', 'd']);
  });

  it('read what earlier ones of the same transaction wrote', async () => {
    const { projectId, chatbotId, write } = await aDesk();
    const seen: unknown[] = [];
    const look = async ({ contacts }: UnitOfWork) => seen.push((await contacts.find(projectId, chatbotId, 'a'))?.id);
    await Promise.all([write(aContact({ id: 'a' })), write(aContact({ id: 'b' }), { after: look })]);
    expect(seen).toEqual(['a']);
  });

  it('leave nothing once they are given up, before their turn and within it, and harm no other', async () => {
    const { write, stored } = await aDesk();
    const [waiting, working] = [new AbortController(), new AbortController()];
    const abort = async () => {
      working.abort(new Error('given up'));
      await new Promise(() => undefined);
    };
    const all = [
      write(aContact({ id: 'a' })),
      write(aContact({ id: 'b' }), { signal: waiting.signal }),
      write(aContact({ id: 'c' }), { signal: working.signal, after: abort }),
      write(aContact({ id: 'd' })),
    ];
    waiting.abort(new Error('given up'));
    const outcomes = await Promise.allSettled(all);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(await stored()).toEqual(['a', 'd']);
  });

  it('are undone whole where one asks several things at once, after what others hold back', async () => {
    const { projectId, keyId, write, stored } = await aDesk();
    const now = { at: '2026-01-01T12:00:00+00:00', forgetBefore: '2025-12-31T12:00:00+00:00' };
    const request = { keyHash: 'hash of the key', requestDigest: 'digest of the request' };
    const claim = ({ idempotency }: UnitOfWork) => idempotency.claim(projectId, keyId, request, now);
    const claimAndFail = async (unit: UnitOfWork) => {
      await claim(unit);
      throw new Error('no');
    };
    const outcomes = await Promise.allSettled([
      write(aContact({ id: 'a' })),
      write(aContact({ id: 'b' }), { after: claimAndFail }),
      write(aContact({ id: 'c' })),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await stored()).toEqual(['a', 'c']);
    const kept: unknown[] = [];
    await write(aContact({ id: 'd' }), { after: async (unit) => kept.push(await claim(unit)) });
    expect(kept).toEqual([undefined]);
  });

  it('are not undone by dry runs among them, which store and tell nothing', async () => {
    const { store } = opened;
    const { projectId, chatbotId } = await aProject(store);
    const save = (n: number, isDry: boolean) => {
      const input = { chatbotId, match: { email: `${n}@example.com` } };
      return run(upsertContact, store, operator(projectId), input, { isDry });
    };
    const ran = await Promise.all(Array.from({ length: 20 }, (_, n) => save(n, n % 2 === 0)));
    for (const { changes } of ran) expect(changes).toMatchObject([{ type: 'contact.created' }]);
    const { output } = await run(searchContacts, store, operator(projectId), { chatbotId });
    const numbers = output.contacts.map(({ email }) => Number.parseInt(String(email), 10));
    expect(numbers.toSorted((one, other) => one - other)).toEqual([1, 3, 5, 7, 9, 11, 13, 15, 17, 19]);
    expect(await eventsOf(store, projectId, { types: ['contact.created'] })).toHaveLength(10);
  });

  it('ask nothing more once they are given up', async () => {
    const { projectId, chatbotId, write } = await aDesk();
    const giveUp = new AbortController();
    const late = Promise.withResolvers<unknown>();
    const goOn = async (unit: UnitOfWork) => {
      giveUp.abort(new Error('given up'));
      await new Promise((resolve) => setImmediate(resolve));
      late.resolve(
        await unit.contacts.find(projectId, chatbotId, 'a').then(
          () => 'asked',
          () => 'refused',
        ),
      );
    };
    const outcomes = await Promise.allSettled([
      write(aContact({ id: 'a' }), { signal: giveUp.signal, after: goOn }),
      write(aContact({ id: 'b' })),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(await late.promise).toBe('refused');
  });
});

describe('a write on PostgreSQL that is given up while an insertion is under way', () => {
  it('asks nothing more, neither alone nor among others', async () => {
    await using opened = await engines[1].openOwn();
    const { store, database } = opened;
    const { projectId, chatbotId } = await aProject(store);
    const gone = aContact({ id: 'gone' });
    await store.write(operator(projectId), async ({ contacts }) => {
      await contacts.save(projectId, chatbotId, [{ after: gone }]);
      await contacts.remove(projectId, chatbotId, [gone], '2026-01-01T12:00:00+00:00');
      return unchanged(undefined);
    });
    await database.script(`
      create function held() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock(1); return new; end $$;
      create trigger held before insert on contacts for each row execute function held()`);
    await using holder = await aSession(opened.url);
    const isWaiting = async () =>
      (await holder.query("select count(*)::int as n from pg_locks where locktype = 'advisory' and not granted"))[0]?.[
        'n'
      ];
    for (const queues of [[], [chatbotId]]) {
      await holder.query('select pg_advisory_lock(1)');
      const given = new AbortController();
      const worked = Promise.withResolvers<unknown>();
      const work = async ({ contacts }: UnitOfWork) => {
        const [contact] = await contacts.findDeleted(projectId, chatbotId, ['gone']);
        if (contact) await contacts.save(projectId, chatbotId, [{ after: contact }]);
        await contacts.takeOut(projectId, chatbotId, ['gone']);
      };
      const restored = store.write(
        operator(projectId),
        async (unit) => {
          const working = work(unit);
          worked.resolve(working.catch(() => 'refused'));
          await working;
          return unchanged(undefined);
        },
        given.signal,
        queues,
      );
      const reason = restored.catch((error: Error) => error.message);
      await expect.poll(isWaiting).toBe(1);
      given.abort(new Error('given up'));
      await holder.query('select pg_advisory_unlock(1)');
      expect(await reason).toBe('given up');
      expect(await worked.promise).toBe('refused');
      expect(await store.contacts.find(projectId, chatbotId, 'gone')).toBeUndefined();
      expect(await database.all({ pieces: ['select id from deleted_contacts'], values: [] })).toEqual([{ id: 'gone' }]);
    }
  });
});

describe('writes that wait for another process on SQLite', () => {
  it('can be given up until their transaction has begun', async () => {
    await using opened = await engines[0].open();
    const store = await opened.another();
    const { projectId, chatbotId } = await aProject(store);
    using other = new DatabaseSync(opened.url.slice('sqlite:'.length));
    other.exec('begin immediate');
    const giveUp = new AbortController();
    const write = () => storeContacts(store, projectId, chatbotId, [aContact()], giveUp.signal);
    const outcomes = Promise.allSettled([write(), write(), write()]);
    await new Promise((resolve) => setTimeout(resolve, 50));
    giveUp.abort(new Error('given up'));
    // Whoever waits for the lock to the end is unavailable.
    const reasons = (await outcomes).map((one) => one.status === 'rejected' && (one.reason as Error).message);
    expect(reasons).toEqual(['given up', 'given up', 'given up']);
    other.exec('rollback');
    expect(await Array.fromAsync(store.contacts.listAll(projectId, chatbotId))).toEqual([]);
  });
});
