import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { describe, expect, it } from 'vitest';

import { operator } from '../../../src/actor.ts';
import { deleteChatbot } from '../../../src/chatbots/delete.ts';
import { deleteProjectInSteps } from '../../../src/cli/contacts/delete-in-steps.ts';
import { openCurrentStore } from '../../../src/cli/open.ts';
import { deleteContact } from '../../../src/contacts/delete.ts';
import { eraseContacts } from '../../../src/contacts/erase.ts';
import { mergeContacts } from '../../../src/contacts/merging/merge.ts';
import { restoreContact } from '../../../src/contacts/restore.ts';
import { searchContacts } from '../../../src/contacts/search.ts';
import { openSqlite } from '../../../src/database/sqlite/sqlite.ts';
import { compareWith } from '../../../src/database/upkeep/restore-comparison.ts';
import { lockWhole } from '../../../src/database/upkeep/sole-use.ts';
import { inviteMember, reinviteMember } from '../../../src/members/invite.ts';
import type { Role } from '../../../src/members/member.ts';
import { removeMember } from '../../../src/members/remove.ts';
import { transferOwnership } from '../../../src/members/transfer.ts';
import { updateMember } from '../../../src/members/update.ts';
import { run } from '../../../src/operation.ts';
import { createSignInLink } from '../../../src/sign-in/link.ts';
import type { Store } from '../../../src/store.ts';
import { deleteWebhook } from '../../../src/webhooks/delete.ts';
import { rotateWebhook } from '../../../src/webhooks/rotate.ts';
import { updateWebhook } from '../../../src/webhooks/update.ts';
import * as people from '../../support/people.ts';
import { anInstallation, type Installation } from '../../support/process.ts';
import { anywhere, storeWebhook } from '../../support/webhooks.ts';

interface Report {
  comparison: string;
  taken_away: Record<string, number> | null;
  comes_back: Record<string, number> | null;
  replaced: { newest_change: string; rows: Record<string, number> } | null;
  newest_change: string;
  keys_ended: number;
  moved_aside: string[];
}

const acme = operator('acme');
const chatbotId = 'desk';
const nothing = {
  projects: 0,
  chatbots: 0,
  contacts_purged: 0,
  contacts_deleted: 0,
  members: 0,
  roles: 0,
  invitations: 0,
  passkeys: 0,
  keys_revoked: 0,
  keys_narrowed: 0,
  keys_rotated: 0,
  webhooks_deleted: 0,
  webhooks_disabled: 0,
  webhooks_rotated: 0,
  webhooks_changed: 0,
};
const aPerson = (id: string, name: string) => people.aContact({ id, name, email: `${id}@example.com`, phone: null });

/** A project with all that can be taken away, and its backup. */
async function aBackup() {
  const at = await anInstallation();
  const backup = join(at.folder, 'backup.db');
  await using store = await openCurrentStore(at.databaseUrl);
  await people.aProject(store, { id: 'acme', chatbotId });
  await people.createChatbot(store, 'acme', { name: 'Old desk', id: 'old' });
  await people.aProject(store, { id: 'gone', chatbotId: 'gone', contacts: [aPerson('wilma', 'Wilma Gonebyword')] });
  await people.storeContacts(store, 'acme', 'old', [aPerson('olga', 'Olga Oldchatbotword')]);
  const contacts = ['ada', 'bob', 'cleo', 'dora'].map((id) => aPerson(id, `Person ${id}sword`));
  await people.storeContacts(store, 'acme', chatbotId, contacts);
  await run(deleteContact, store, acme, { chatbotId, contactId: 'dora' });
  const roles: Record<string, Role[]> = {
    owner: ['Owner'],
    admin: ['Admin'],
    left: ['Admin'],
    lower: ['Admin', 'Analyst'],
  };
  await people.storeMembers(
    store,
    'acme',
    Object.entries(roles).map(([name, given]) => people.aMember({ email: `${name}@example.com`, roles: given })),
  );
  const invited = { roles: ['Editor' as const] };
  await run(inviteMember, store, acme, { email: 'pending@example.com', ...invited });
  await run(inviteMember, store, acme, { email: 'again@example.com', ...invited });
  const key = async (name: string) =>
    (await people.createApiKey(store, 'acme', { name, scopes: ['contacts:read', 'members:read'] })).key.id;
  for (const id of ['deleted', 'disabled', 'rotated', 'changed', 'same']) await storeWebhook(store, 'acme', id);
  const keys = { revoked: await key('a'), narrowed: await key('b'), rotated: await key('c'), other: await key('d') };
  await at.json(['backup', 'create', backup]);
  return { ...at, path: join(at.folder, 'roster.db'), backup, keys };
}

type Taken = Awaited<ReturnType<typeof aBackup>>;

async function inStore<T>(at: Installation, work: (store: Store) => Promise<T>): Promise<T> {
  await using store = await openCurrentStore(at.databaseUrl);
  return await work(store);
}

const membersOf = async (store: Store) => (await store.members.list('acme', {}, 100, 0)).members;
const memberId = async (store: Store, name: string) =>
  (await membersOf(store)).find(({ email }) => email.startsWith(name))?.id ?? '';

async function takeAll({ keys, ...at }: Taken): Promise<void> {
  await inStore(at, async (store) => {
    const purge = (contactId: string) => run(deleteContact, store, acme, { chatbotId, contactId, purge: true });
    await run(eraseContacts, store, acme, { contacts: [{ chatbot_id: chatbotId, id: 'ada' }] });
    await purge('dora');
    await run(deleteContact, store, acme, { chatbotId, contactId: 'bob' });
    await run(deleteContact, store, acme, { chatbotId: 'old', contactId: 'olga', purge: true });
    await run(deleteChatbot, store, acme, { chatbotId: 'old' });
    await deleteProjectInSteps(store, 'gone');
    await run(transferOwnership, store, acme, { email: 'admin@example.com' });
    await run(removeMember, store, acme, { memberId: await memberId(store, 'left') });
    await run(removeMember, store, acme, { memberId: await memberId(store, 'pending') });
    await run(updateMember, store, acme, { memberId: await memberId(store, 'lower'), roles: ['Analyst'] });
    await run(reinviteMember, store, acme, { memberId: await memberId(store, 'again') });
    await people.revokeApiKey(store, keys.revoked);
    await people.updateApiKey(store, keys.narrowed, ['contacts:read']);
    await people.rotateApiKey(store, keys.rotated, 60);
    const outgoing = anywhere;
    const change = (webhookId: string, given: object) =>
      run(updateWebhook, store, acme, { webhookId, ...given }, { outgoing });
    await run(deleteWebhook, store, acme, { webhookId: 'deleted' });
    await change('disabled', { state: 'disabled' });
    await run(rotateWebhook, store, acme, { webhookId: 'rotated', overlap: '1h' });
    await change('changed', { url: 'https://example.com/moved' });
    await change('same', { description: 'renamed' });
  });
}

const taken = {
  projects: 1,
  chatbots: 1,
  contacts_purged: 2,
  contacts_deleted: 1,
  members: 2,
  roles: 2,
  invitations: 1,
  passkeys: 0,
  keys_revoked: 1,
  keys_narrowed: 1,
  keys_rotated: 1,
  webhooks_deleted: 1,
  webhooks_disabled: 1,
  webhooks_rotated: 1,
  webhooks_changed: 1,
};

/** What decides where a webhook posts, what, and with which signature. */
const webhooksOf = async (store: Store) =>
  (await store.webhooks.page('acme', { limit: 10, offset: 0 })).webhooks.map((webhook) => {
    const { id, url, secret, old_secret, old_secret_until, disabled_reason, created_by } = webhook;
    return { id, url, secret, old_secret, old_secret_until, disabled_reason, created_by };
  });

const found = async (store: Store, query: string) =>
  (await run(searchContacts, store, acme, { chatbotId, query })).output.contacts.length;

describe('restore', () => {
  it('removes again what was removed since the backup, names it, and leaves no byte of the people', async () => {
    await using at = await aBackup();
    await takeAll(at);
    const before = await inStore(at, webhooksOf);
    const { code, stdout, stderr } = await at.run(['restore', at.backup, '--json']);
    const report = JSON.parse(stdout) as Report;
    expect([code, report]).toMatchObject([0, { comparison: 'compared', taken_away: taken, comes_back: null }]);
    expect(report.replaced?.rows).toMatchObject({ projects: 1, chatbots: 1, contacts: 1, deleted_contacts: 1 });
    expect(stderr).toContain(
      'Taken away again, because it was taken away after the backup: 1 project deleted, 1 chatbot deleted, 2 contacts purged',
    );
    await inStore(at, async (store) => {
      expect((await store.projects.list()).map(({ id }) => id)).toEqual(['acme']);
      expect((await store.chatbots.list('acme')).map(({ id }) => id)).toEqual([chatbotId]);
      expect(await store.contacts.find('acme', chatbotId, 'cleo')).toBeDefined();
      expect(await store.contacts.page('acme', chatbotId, { list: 'newest', isWhole: false }, 1, 10)).toMatchObject({
        total: 1,
      });
      expect(await store.contacts.page('acme', chatbotId, { list: 'deleted', isWhole: false }, 1, 10)).toMatchObject({
        total: 1,
      });
      expect(await Promise.all(['cleosword', 'adasword', 'bobsword'].map((word) => found(store, word)))).toEqual([
        1, 0, 0,
      ]);
      const roles = (await membersOf(store)).map((member) => [member.email.split('@')[0], member.roles.join()]);
      expect(Object.fromEntries(roles)).toEqual({ admin: 'Owner', owner: 'Admin', lower: 'Analyst', again: 'Editor' });
      const keys = new Map((await store.apiKeys.list('acme')).map((key) => [key.id, key]));
      expect(keys.get(at.keys.revoked)?.revoked_at).not.toBeNull();
      expect(keys.get(at.keys.narrowed)?.scopes).toEqual(['contacts:read']);
      expect(keys.get(at.keys.rotated)).toMatchObject({
        replaced_by: expect.any(String),
        expires_at: expect.any(String),
      });
      expect(keys.get(at.keys.other)).toMatchObject({ revoked_at: null, expires_at: null });
      expect(await webhooksOf(store)).toEqual(before);
    });
    expect((await at.run(['doctor'])).stdout).not.toContain('failed');
    expect(readFileSync(at.backup).includes('adasword')).toBe(true);
    for (const name of readdirSync(at.folder).filter((one) => /^roster\.db(-wal|-shm|-lock)?$/.test(one))) {
      const bytes = readFileSync(join(at.folder, name)).toString('latin1').toLowerCase();
      for (const word of ['adasword', 'dorasword', 'oldchatbotword', 'gonebyword', 'left@example.com', 'pending@'])
        expect([word, name, bytes.includes(word)]).toEqual([word, name, false]);
    }
    expect(readdirSync(at.folder).filter((name) => /compared|restored/.test(name))).toEqual([]);
  });

  it('counts what was made after the backup as lost, but no key that has ended and nothing that the backup took away', async () => {
    await using at = await aBackup();
    const newer = join(at.folder, 'newer.db');
    await inStore(at, (store) => run(deleteWebhook, store, acme, { webhookId: 'deleted' }));
    await at.json(['backup', 'create', newer]);
    await at.json(['restore', at.backup, '--as-it-was']);
    await inStore(at, async (store) => {
      await people.createApiKey(store, 'acme', { name: 'expired', expiresInSeconds: -60 });
      const revoked = await people.createApiKey(store, 'acme', { name: 'revoked' });
      await people.revokeApiKey(store, revoked.key.id);
      const rotated = await people.createApiKey(store, 'acme', { name: 'rotated' });
      await people.rotateApiKey(store, rotated.key.id, 3_600);
      for (const id of ['one', 'two']) await storeWebhook(store, 'acme', id);
    });
    const { stdout, stderr } = await at.run(['restore', newer, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ comparison: 'compared', lost: { keys: 1, webhooks: 2 } });
    expect(stderr).toContain('Lost, because it was made after the backup: 1 API key, 2 webhooks; create it again.');
    const again = await at.run(['restore', newer, '--json']);
    expect([JSON.parse(again.stdout), again.stderr]).toEqual([
      expect.objectContaining({ lost: { keys: 0, webhooks: 0 } }),
      expect.not.stringContaining('Lost'),
    ]);
  });

  it('reads what a killed process has left in the log, and says how old both are and what they hold', async () => {
    await using at = await aBackup();
    {
      await using store = await openCurrentStore(at.databaseUrl);
      await run(deleteContact, store, acme, { chatbotId, contactId: 'ada', purge: true });
      for (const suffix of ['', '-wal']) cpSync(`${at.path}${suffix}`, join(at.folder, `killed${suffix}`));
    }
    for (const suffix of ['', '-wal']) cpSync(join(at.folder, `killed${suffix}`), `${at.path}${suffix}`);
    const { stdout } = await at.run(['restore', at.backup]);
    expect(stdout).toMatch(/^newest_change: +2\S+ \(\d+ minutes? ago\)$/m);
    expect(stdout).toMatch(/^replaced: +newest change 2\S+ \(.* ago\), projects 2, chatbots 3, .*contacts 4,/m);
    expect(stdout).toMatch(/^rows: +projects 2, chatbots 3,/m);
    expect(stdout).toMatch(/^taken_away: +1 contact purged$/m);
  });

  it('keeps everybody out while it reads what a killed process has left', async () => {
    await using at = await aBackup();
    {
      await using _ = await openCurrentStore(at.databaseUrl);
      for (const suffix of ['', '-wal']) cpSync(`${at.path}${suffix}`, join(at.folder, `killed${suffix}`));
    }
    for (const suffix of ['', '-wal']) cpSync(join(at.folder, `killed${suffix}`), `${at.path}${suffix}`);
    writeFileSync(`${at.path}-wal`, Buffer.alloc(32), { flag: 'a' });
    using _lock = lockWhole(at.path);
    await using database = openSqlite(at.backup);
    expect((await compareWith(database, at.path, join(at.folder, 'copy.db'))).relation).toBe('compared');
    const read = `new (require('node:sqlite').DatabaseSync)(process.argv[1], { timeout: 0 }).exec('select count(*) from sqlite_schema')`;
    const { stderr } = spawnSync(process.execPath, ['--eval', read, at.path], { encoding: 'utf8' });
    expect(stderr).toContain('database is locked');
  });

  it('leaves a project without an Owner where the new one came after the backup, and removes a lost passkey', async () => {
    await using at = await aBackup();
    const insertPasskey = async (id: string) => {
      const admin = await inStore(at, (store) => memberId(store, 'admin'));
      using db = new DatabaseSync(at.path);
      db.prepare(
        `insert into passkeys values ('acme', ?, ?, 'Phone', ?, 'key', 0, '', 0, '2026-01-01T00:00:00+00:00', null)`,
      ).run(id, admin, id);
    };
    await insertPasskey('kept');
    await insertPasskey('lost');
    const second = join(at.folder, 'second.db');
    await at.json(['backup', 'create', second]);
    await inStore(at, async (store) => {
      await people.storeMembers(store, 'acme', [people.aMember({ email: 'new@example.com' })]);
      await run(transferOwnership, store, acme, { email: 'new@example.com' });
      await run(removeMember, store, acme, { memberId: await memberId(store, 'owner') });
      using db = new DatabaseSync(at.path);
      db.exec("delete from passkeys where id = 'lost'");
    });
    const { taken_away: takenAway } = await at.json<Report>(['restore', second]);
    expect(takenAway).toEqual({ ...nothing, members: 1, passkeys: 1 });
    await inStore(at, async (store) => {
      expect((await membersOf(store)).map(({ roles }) => roles.includes('Owner'))).not.toContain(true);
      expect(await memberId(store, 'owner')).toBe('');
      const passkeys = await store.signIn.listPasskeys('acme', await memberId(store, 'admin'));
      expect(passkeys.map(({ id }) => id)).toEqual(['kept']);
    });
  });

  it('lets come back with --as-it-was what was taken away, and says what', async () => {
    await using at = await aBackup();
    await takeAll(at);
    const { code, stdout, stderr } = await at.run(['restore', at.backup, '--as-it-was', '--json']);
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { taken_away: null, comes_back: taken }]);
    expect(stderr).toMatch(/^Comes back, although it was taken away after the backup: .* 2 contacts purged/m);
    await inStore(at, async (store) => {
      expect((await store.projects.list()).map(({ id }) => id).toSorted()).toEqual(['acme', 'gone']);
      expect(await store.contacts.find('acme', chatbotId, 'ada')).toBeDefined();
    });
  });

  it('takes nothing away for what came only after the backup, nor from what the present database never had', async () => {
    await using at = await aBackup();
    await inStore(at, async (store) => {
      await people.storeContacts(store, 'acme', chatbotId, [aPerson('eve', 'Eve')]);
      await run(inviteMember, store, acme, { email: 'new@example.com', roles: ['Admin'] });
      await people.createApiKey(store, 'acme', { name: 'new' });
    });
    const later = join(at.folder, 'later.db');
    await at.json(['backup', 'create', later]);
    expect((await at.json<Report>(['restore', at.backup])).taken_away).toEqual(nothing);
    // Now the present database is the older one.
    expect((await at.json<Report>(['restore', later])).taken_away).toEqual(nothing);
    expect(await inStore(at, (store) => store.contacts.find('acme', chatbotId, 'eve'))).toBeDefined();
    // And one that went another way since: what it took away, it had before.
    await at.json(['restore', at.backup]);
    await inStore(at, (store) => run(deleteContact, store, acme, { chatbotId, contactId: 'ada', purge: true }));
    expect((await at.json<Report>(['restore', later])).taken_away).toEqual({ ...nothing, contacts_purged: 1 });
    expect(await inStore(at, (store) => store.contacts.find('acme', chatbotId, 'eve'))).toBeDefined();
  });

  it('leaves a webhook enabled that was enabled after what the present database knows, and goes on from its place', async () => {
    await using at = await aBackup();
    const change = (state: 'active' | 'disabled') =>
      inStore(at, (store) => run(updateWebhook, store, acme, { webhookId: 'same', state }, { outgoing: anywhere }));
    await change('disabled');
    const disabled = join(at.folder, 'disabled.db');
    await at.json(['backup', 'create', disabled]);
    await change('active');
    const later = join(at.folder, 'later.db');
    await at.json(['backup', 'create', later]);
    await at.json(['restore', disabled, '--as-it-was']);
    expect((await at.json<Report>(['restore', later])).taken_away).toEqual(nothing);
    const [before, after] = await inStore(at, async (store) => {
      const one = await store.webhooks.find('acme', 'same');
      await run(inviteMember, store, acme, { email: 'new@example.com', roles: ['Admin'] });
      return [one, await store.webhooks.find('acme', 'same')];
    });
    expect(before).toMatchObject({ disabled_reason: null });
    expect(after?.last_event).toBeGreaterThan(after?.position ?? 0n);
    expect(before?.position).toBeLessThanOrEqual(before?.last_event ?? 0n);
  });

  it('takes away no contact that was merged since, and purges a merged one that was purged since', async () => {
    await using at = await aBackup();
    const merge = (contactId: string, from: string[]) =>
      inStore(at, (store) => run(mergeContacts, store, acme, { chatbotId, contactId, from }));
    await merge('ada', ['bob', 'cleo']);
    const merged = join(at.folder, 'merged.db');
    await at.json(['backup', 'create', merged]);
    expect((await at.json<Report>(['restore', at.backup])).taken_away).toEqual(nothing);
    expect(await inStore(at, (store) => store.contacts.find('acme', chatbotId, 'bob'))).toBeDefined();
    await at.json(['restore', merged]);
    await inStore(at, (store) => run(deleteContact, store, acme, { chatbotId, contactId: 'bob', purge: true }));
    expect((await at.json<Report>(['restore', merged])).taken_away).toEqual({ ...nothing, contacts_purged: 1 });
    const left = await inStore(at, (store) => store.contacts.mergedAmong('acme', chatbotId, ['bob', 'cleo']));
    expect(left.map(({ id }) => id)).toEqual(['cleo']);
  });

  it('takes away from a backup that went another way, whatever became there of a key, a member or a contact', async () => {
    await using at = await aBackup();
    await inStore(at, async (store) => {
      await people.updateApiKey(store, at.keys.revoked, ['contacts:read']);
      await run(createSignInLink, store, acme, { memberId: await memberId(store, 'left') });
      await run(createSignInLink, store, acme, { memberId: await memberId(store, 'lower') });
      await run(updateMember, store, acme, { memberId: await memberId(store, 'again'), roles: ['Analyst'] });
      await run(reinviteMember, store, acme, { memberId: await memberId(store, 'pending') });
      await run(restoreContact, store, acme, { chatbotId, contactId: 'dora' });
    });
    const another = join(at.folder, 'another.db');
    await at.json(['backup', 'create', another]);
    await at.json(['restore', at.backup]);
    await inStore(at, async (store) => {
      await people.revokeApiKey(store, at.keys.revoked);
      await run(removeMember, store, acme, { memberId: await memberId(store, 'left') });
      await run(updateMember, store, acme, { memberId: await memberId(store, 'lower'), roles: ['Analyst'] });
      await run(reinviteMember, store, acme, { memberId: await memberId(store, 'again') });
      await run(removeMember, store, acme, { memberId: await memberId(store, 'pending') });
      await run(deleteContact, store, acme, { chatbotId, contactId: 'dora', purge: true });
    });
    const { taken_away: takenAway } = await at.json<Report>(['restore', another]);
    expect(takenAway).toEqual({
      ...nothing,
      keys_revoked: 1,
      members: 2,
      roles: 1,
      invitations: 1,
      contacts_purged: 1,
    });
  });

  it('leaves the backup as it is where the present database is another one, or cannot be read, and says so', async () => {
    await using at = await aBackup();
    const other = join(at.folder, 'other.db');
    const env = { DATABASE_URL: `sqlite:${other}` };
    await at.json(['projects', 'create', 'Other'], { env });
    const unrelated = await at.run(['restore', at.backup, '--json'], { env });
    expect(JSON.parse(unrelated.stdout)).toMatchObject({ comparison: 'unrelated', taken_away: null });
    expect(unrelated.stderr).toContain('knows no project of the backup');
    expect(JSON.parse(unrelated.stdout)).toMatchObject({ webhooks_disabled: 5 });
    expect(unrelated.stderr).toContain('5 webhooks are disabled, so that this copy posts to nobody; enable each with');
    const reasons = async () => {
      await using store = await openCurrentStore(env.DATABASE_URL);
      return new Set((await webhooksOf(store)).map((one) => one.disabled_reason));
    };
    expect(await reasons()).toEqual(new Set(['restored']));
    rmSync(other);
    const missing = await at.run(['restore', at.backup], { env });
    expect([missing.code, missing.stderr]).toEqual([
      0,
      expect.stringMatching(/revocations and erasures since the backup are unknown; .*--revoke-keys/),
    ]);
    expect(await reasons()).toEqual(new Set(['restored']));
    rmSync(other);
    const asItWas = await at.run(['restore', at.backup, '--as-it-was', '--json'], { env });
    expect(JSON.parse(asItWas.stdout)).toMatchObject({ webhooks_disabled: 0 });
    expect(await reasons()).toEqual(new Set([null]));
    const bytes = readFileSync(at.path);
    writeFileSync(at.path, bytes.fill(0x5a, 8_192, bytes.length - 4_096));
    const damaged = await at.run(['restore', at.backup, '--revoke-keys', '--json']);
    expect(JSON.parse(damaged.stdout)).toMatchObject({ comparison: 'unknown', replaced: null, keys_ended: 6 });
    expect(damaged.stderr).toContain('6 API keys ended');
    using db = new DatabaseSync(at.path, { readOnly: true });
    expect(db.prepare('select count(*) as usable from api_keys where revoked_at is null').get()).toEqual({ usable: 0 });
  });
});
