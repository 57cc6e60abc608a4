import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { rowSender } from '../../console/src/pages/import/send-rows.ts';
import { operator } from '../../src/actor.ts';
import { contactReader } from '../../src/contacts/draft.ts';
import { type GivenRow, importContactRows, type RowsToImport } from '../../src/contacts/import-rows.ts';
import { emptyAccount, importBatches } from '../../src/files/account.ts';
import { openReading, type ReadingOptions } from '../../src/files/reading.ts';
import { type ConflictPolicy, conflictPolicies } from '../../src/imports.ts';
import { run } from '../../src/operation.ts';
import { limitProject } from '../../src/projects/limits.ts';
import type { Store } from '../../src/store.ts';
import { engines, shared } from '../support/engines.ts';
import { eventsOf } from '../support/events.ts';
import { importText } from '../support/files.ts';
import { aContact, aProject } from '../support/people.ts';

interface Given extends Partial<ReadingOptions> {
  policy?: ConflictPolicy;
  dryRun?: boolean;
  rowsMax?: number;
  /** How many requests are answered. */
  answered?: number;
}

/** What no two imports give alike. */
const own = new Set(['id', 'created_at', 'updated_at', 'revision', 'inserted_as']);

const member = (projectId: string) => ({ ...operator(projectId), type: 'member', id: 'ada' }) as const;

/** A chatbot into which a file can be imported as the page does it, by requests of a few rows. */
async function aDesk(store: Store) {
  const known = [
    aContact({ id: 'k', email: 'kim@example.com', external_id: 'K1', name: 'Kim', phone: null, website: null }),
    aContact({ id: 'm', email: 'max@example.com', name: 'Max', phone: null, website: null }),
    aContact({ id: 'l', email: 'lee@example.com', name: 'Lee', phone: null, website: null, tags: ['old'] }),
  ];
  const desk = { store, ...(await aProject(store, { contacts: known })) };
  const { projectId, chatbotId } = desk;
  return {
    ...desk,
    command: (text: string, given: Given = {}) => importText(desk, text, given),
    page: async (text: string, given: Given = {}) => {
      const { policy = 'update', dryRun = false, rowsMax = 2, answered = Infinity, ...options } = given;
      let asked = 0;
      const bytes = ReadableStream.from([Buffer.from(text)]) as AsyncIterable<Uint8Array>;
      const { batches } = await openReading(bytes, contactReader, {
        format: undefined,
        mapping: new Map(),
        givesBack: false,
        ...options,
      });
      const post = async (body: Omit<RowsToImport, 'chatbotId'>) => {
        if (++asked > answered) throw new Error('the server is gone');
        // As it comes over the wire.
        const input = JSON.parse(JSON.stringify({ chatbotId, ...body })) as RowsToImport;
        const { output } = await run(importContactRows, store, member(projectId), input);
        return JSON.parse(JSON.stringify(output)) as typeof output;
      };
      const account = emptyAccount();
      const reasons: Record<number, string> = {};
      const counting = {
        rejects: undefined,
        wording: ({ refused }: { refused: string }) => refused,
        advice: '',
        onRejected: (line: number, all: readonly { reason: string }[]) => {
          reasons[line] = all.map(({ reason }) => reason).join('; ');
        },
        onBatch: () => undefined,
      };
      const failures: unknown[] = [];
      const send = rowSender({ policy, dryRun, post, rowsMax, onFailed: (error) => failures.push(error) });
      const imported = importBatches(batches, send, counting, account);
      if (answered === Infinity) await imported;
      else await expect(imported).rejects.toThrow();
      expect(failures).toHaveLength(answered === Infinity ? 0 : 1);
      return { ...account, reasons };
    },
    people: async () =>
      (await Array.fromAsync(store.contacts.listAll(projectId, chatbotId)))
        .flat()
        .map((contact) => JSON.stringify(contact, (name, value: unknown) => (own.has(name) ? undefined : value)))
        .toSorted(),
  };
}

const file = [
  'id,external id,email,name,company,tags,Party,created at',
  // This contact's address changes; a later batch uses the former one for a new contact.
  'm,,moved@example.com,,,,,',
  ',A1,ana@example.com,Ana,Example Ltd,vip,Liberal,2024-06-08T13:38:33Z',
  ',,bo@example.com,Bo,,,,',
  ',,,Nobody In Particular,Example Ltd,,,',
  'own-1,,cleo@example.com,Cleo,,"vip,new",,',
  // Far from the first: a duplicate, a contradiction, and more about somebody.
  ',A1,ana@example.com,Ana,Example Ltd,vip,Liberal,2024-06-08T13:38:33Z',
  ',,BO@example.com,Bob,,,,',
  ',A1,,,,new,,',
  ',,,Nobody In Particular,Example Ltd,,,',
  'own-1,,,,Example Inc,,,',
  ',A2,ana@example.com,Another Ana,,,,',
  // People who are stored: by one key first, then by another.
  ',,kim@example.com,Kim,Example Inc,,,',
  ',K1,,Kimberly,,,,',
  ',,lee@example.com,Lee,,,,',
  'l,,,Lee,,newer,,',
  // Refused: a bad value, nothing known, an external id that another row has.
  ',,not an address,Dee,,,,',
  ',,,,,vip,,',
  'own-2,A2,eve@example.com,Eve,,,,',
  'own-2,,eve@example.com,Eve,,,,',
  ',,max@example.com,Maxine,,,,',
  ',,,,,,,',
  'own-3,,cleo@example.com,Cleo The Second,,,,yesterday',
].join('\n');

// What they change is the same on both engines: contact-changes.test.ts.
describe('rows that a page sends', () => {
  const opened = shared(engines[0].open);

  it('become what the command makes of the file, however few go together', async () => {
    for (const policy of conflictPolicies) {
      for (const lenient of [false, true]) {
        const [one, other] = [await aDesk(opened.store), await aDesk(opened.store)];
        const given = { policy, lenient, keepsColumns: lenient };
        const told = await one.command(file, given);
        expect(await other.page(file, { ...given, dryRun: true }), policy).toEqual(told);
        expect(await other.page(file, given), policy).toEqual(told);
        expect(await other.people(), policy).toEqual(await one.people());
        expect(await other.page(file, given), policy).toEqual(await one.command(file, given));
      }
    }
  });

  it('are counted as far as they are stored where a later request fails', async () => {
    const desk = await aDesk(opened.store);
    const people = 'email,name\n1@example.com,A\nno,B\n2@example.com,C\n3@example.com,D\n4@example.com,E\n';
    expect(await desk.page(people, { answered: 1 })).toMatchObject({ read: 3, created: 2, rejected: 1 });
    expect(await desk.people()).toHaveLength(5);
    expect(await desk.page(people)).toMatchObject({ read: 5, created: 2, unchanged: 2, rejected: 1 });
  });

  it('are rejected beyond the limit of the project, in a dry run of several requests too', async () => {
    const desk = await aDesk(opened.store);
    await run(limitProject, opened.store, operator(desk.projectId), { contacts_max: 5 });
    const people = 'email,name\n1@example.com,A\n2@example.com,B\nkim@example.com,Kim\n3@example.com,C\n';
    for (const dryRun of [true, false]) {
      expect(await desk.page(people, { dryRun, rowsMax: 1 })).toMatchObject({
        created: 2,
        rejected: 1,
        reasons: { 5: 'is over the limit of the project' },
      });
    }
  });

  it('have an event for each kind and batch by the member, and none in a dry run', async () => {
    const desk = await aDesk(opened.store);
    const before = (await eventsOf(opened.store, desk.projectId)).length;
    await desk.page(file, { dryRun: true });
    expect(await eventsOf(opened.store, desk.projectId)).toHaveLength(before);
    await desk.page('email,company\nana@example.com,\nkim@example.com,Example Ltd\nbo@example.com,\n', { rowsMax: 3 });
    const events = (await eventsOf(opened.store, desk.projectId)).slice(before);
    expect(events.map(({ type, actor }) => [type, actor.type, actor.id])).toEqual([
      ['contact.created', 'member', 'ada'],
      ['contact.updated', 'member', 'ada'],
    ]);
    expect(events[0]?.contact_ids).toHaveLength(2);
  });

  it('are checked again, and need the rights to write and to read', async () => {
    const { store, projectId, chatbotId } = await aDesk(opened.store);
    const digest = `2:${'a'.repeat(43)}`;
    const row = (texts: GivenRow['texts']): GivenRow => ({ line: 2, digest, texts, values: {} });
    const input: RowsToImport = { chatbotId, on_conflict: 'update', dry_run: false, rows: [row({ email: 'no' })] };
    const actor = member(projectId);
    const { output } = await run(importContactRows, store, actor, input);
    expect(output.outcomes).toEqual([{ refused: 'email is not an e-mail address' }]);
    for (const one of ['contacts:read', 'contacts:write'] as const) {
      const refused = run(importContactRows, store, { ...actor, scopes: [one] }, input);
      await expect(refused).rejects.toMatchObject({ code: 'insufficient_scope' });
    }
    const elsewhere = await aProject(store);
    const foreign = run(importContactRows, store, actor, { ...input, chatbotId: elsewhere.chatbotId });
    await expect(foreign).rejects.toMatchObject({ code: 'not_found' });
    const odd = { ...input, rows: [row({ import_digest: 'x' } as GivenRow['texts'])] };
    await expect(run(importContactRows, store, actor, odd)).rejects.toMatchObject({ code: 'invalid' });
  });

  it('need few requests for a real file, each within the limit of a body', async () => {
    const [one, other] = [await aDesk(opened.store), await aDesk(opened.store)];
    const text = readFileSync(new URL('../data/legislators-current.csv', import.meta.url), 'utf8');
    const given = { mapping: new Map([['external_id', 'bioguide_id']]), keepsColumns: true };
    const told = await one.command(text, given);
    expect(await other.page(text, { ...given, rowsMax: 1_000 })).toEqual(told);
    expect(await other.people()).toEqual(await one.people());
  });
});
