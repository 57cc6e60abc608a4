import { describe, expect, it } from 'vitest';

import { openCurrentStore } from '../../src/cli/open.ts';
import { startSender } from '../../src/jobs/sender.ts';
import { openOutgoing } from '../../src/outgoing/outgoing.ts';
import { report } from '../support/events.ts';
import { aProject } from '../support/people.ts';
import { anInstallation } from '../support/process.ts';
import { aReceiver, status } from '../support/receiver.ts';

const silent = { info() {}, warn: console.error, error: console.error };

/** A project with the chatbot `desk`, and a receiver that the operator has opened. */
async function aDesk() {
  const undo = new AsyncDisposableStack();
  const at = undo.use(await anInstallation());
  const receiver = undo.use(await aReceiver());
  const store = undo.use(await openCurrentStore(at.databaseUrl));
  await aProject(store, { id: 'acme', chatbotId: 'desk' });
  const { host } = new URL(receiver.url);
  const env = { ROSTER_WEBHOOK_ALLOW: host };
  const run = (...words: string[]) => at.run(['webhooks', ...words], { env });
  const json = <T = Record<string, unknown>>(...words: string[]) => at.json<T>(['webhooks', ...words], { env });
  return {
    receiver,
    store,
    run,
    json,
    create: async (...words: string[]) =>
      String((await json('create', '--url', receiver.url, '--event', 'contact.*', ...words))['id']),
    /** What a service does. */
    send: () => startSender(store, undo.use(openOutgoing([host])), { log: silent, seekEveryMs: 5, lookEveryMs: 5 }),
    change: () => report(store, 'acme', { type: 'contact.updated', chatbot_id: 'desk', contact_id: 'ana' }),
    [Symbol.asyncDispose]: () => undo.disposeAsync(),
  };
}

describe('roster webhooks', () => {
  it('creates, lists, tests, rotates, changes and deletes, and notes that a secret is shown only now', async () => {
    await using desk = await aDesk();
    const { run, receiver } = desk;
    const words = ['--url', receiver.url, '--event', 'contact.*', '--event', 'member.*', '--chatbot', 'desk'];
    const created = await run('create', ...words, '--description', 'CRM');
    expect(created).toMatchObject({ code: 0, stderr: expect.stringMatching(/^The secret is shown only now; .*\n$/) });
    const [, id = ''] = /^id: +(\S+)$/m.exec(created.stdout) ?? [];
    const [, secret = ''] = /^secret: +(whsec_\S+)$/m.exec(created.stdout) ?? [];
    expect(created.stdout).toMatch(/^events: +contact\.\*, member\.\*\nchatbot_ids: +desk\n/m);
    const listed = await run('list');
    expect(listed.stdout).toMatch(/^ID +STATE +BEHIND +LAST_SUCCESS_AT +URL +EVENTS\n/);
    expect(listed.stdout).toMatch(
      new RegExp(`^${id} +active +\\d+ +- +http://\\S+ +contact\\.\\*, member\\.\\*$`, 'm'),
    );
    expect((await run('test', id)).stdout).toMatch(/^delivered: +true\nstatus: +204\nduration_ms: +\d+\nreason: +-\n$/);
    expect(receiver.received.map(({ message }) => message.type)).toEqual(['ping']);
    const rotated = await run('rotate', id, '--overlap', '7d');
    expect(rotated).toMatchObject({ code: 0, stderr: created.stderr });
    expect(rotated.stdout).toMatch(/^secret: +whsec_/m);
    expect(rotated.stdout).not.toContain(secret);
    const changed = await run('update', id, '--state', 'disabled', '--payload', 'full');
    expect(changed.stdout).toMatch(/^payload: +full\n[^]*^state: +disabled\n[^]*^disabled_reason: +requested$/m);
    expect(changed.stdout + listed.stdout + (await run('show', id)).stdout).not.toContain('whsec_');
    expect(await run('delete', id)).toMatchObject({ code: 0, stderr: '' });
    expect(await run('show', id)).toMatchObject({ code: 1, stderr: expect.stringMatching(/no webhook with this id/) });
  });

  it('shows why deliveries failed, and sends them again', async () => {
    await using desk = await aDesk();
    const { run, json, receiver, store } = desk;
    const id = await desk.create();
    receiver.answer = status(500);
    await desk.change();
    const failing = desk.send();
    await expect.poll(async () => (await store.webhooks.find('acme', id))?.failing_since).toMatch(/^20/);
    await failing[Symbol.asyncDispose]();
    const shown = await run('deliveries', id, '--failed');
    expect([shown.code, shown.stderr]).toEqual([0, '']);
    expect(shown.stdout).toMatch(
      /^AT +TYPE +OUTCOME +ATTEMPT +STATUS +REASON +DURATION_MS +NEXT_ATTEMPT_AT +EVENT_ID\n/,
    );
    expect(shown.stdout).toMatch(/^20\S+ +contact\.updated +retrying +1 +500 +status +\d+ +20\S+ +\S+$/m);
    expect(await run('test', id, '--json')).toMatchObject({ code: 1, stdout: expect.stringMatching(/"status":500/) });
    receiver.answer = undefined;
    expect(await json('replay', id, '--after', '*')).toMatchObject({ id, state: 'failing', next_attempt_at: null });
    await using _sender = desk.send();
    await expect.poll(() => json('show', id)).toMatchObject({ state: 'active', behind: 0 });
    const { deliveries } = await json<{ deliveries: object[] }>('deliveries', id);
    expect(deliveries).toMatchObject([{ outcome: 'delivered', attempt: 1 }, { outcome: 'failed' }]);
    for (const since of ['2026-06-08', 'yesterday', '2d']) {
      expect(await json('replay', id, '--since', since)).toMatchObject({ id });
    }
  });

  it('prints with --json what the API answers, and nothing beside it', async () => {
    await using desk = await aDesk();
    const { run, json } = desk;
    const created = await run('create', '--url', desk.receiver.url, '--event', 'contact.*', '--json');
    const { secret, ...shown } = JSON.parse(created.stdout) as Record<string, unknown>;
    const id = String(shown['id']);
    expect([created.stderr, secret]).toEqual(['', expect.stringMatching(/^whsec_/)]);
    const behind = expect.any(Number);
    expect(await json('show', id)).toEqual({ ...shown, behind });
    expect(await json('list')).toEqual({
      pages: { current_page: 1, last_page: 1, per_page: 25 },
      webhooks: [{ ...shown, behind }],
    });
    expect(await json('rotate', id)).toEqual({ ...shown, behind, secret: expect.stringMatching(/^whsec_/) });
    expect(await json('test', id)).toEqual({ delivered: true, status: 204, duration_ms: behind, reason: null });
    expect(await json('deliveries', id)).toEqual({ deliveries: [], next_cursor: null });
    expect(await json('delete', id)).toEqual({ status: 'success' });
  });

  it('refuses in one sentence, with the exit code of its kind', async () => {
    await using desk = await aDesk();
    const id = await desk.create();
    const create = ['create', '--url', desk.receiver.url];
    for (const [code, sentence, ...words] of [
      [2, "required option '--event <type>' is missing", ...create],
      [65, '--event must be one of the documented words; did you mean contact.*?', ...create, '--event', 'contact'],
      [65, '--chatbot must be a chatbot of the project.', ...create, '--event', 'contact.*', '--chatbot', 'other'],
      [
        65,
        '--url must lead to a public address; ROSTER_WEBHOOK_ALLOW of the operator opens others.',
        'create',
        '--url',
        'https://10.0.0.1/',
        '--event',
        'contact.*',
      ],
      [
        65,
        '--url must begin with https://; ROSTER_WEBHOOK_ALLOW of the operator opens http:// to other places.',
        'update',
        id,
        '--url',
        'http://192.31.196.1/',
      ],
      [2, 'Nothing is to be changed; give --url, --event, --chatbot, --payload,', 'update', id],
      [2, "option '--state <state>' argument 'off' is invalid.", 'update', id, '--state', 'off'],
      [2, "option '--overlap <span>' argument 'long' is invalid. Allowed are spans", 'rotate', id, '--overlap', 'long'],
      [2, 'Give --after or --since, one of them.', 'replay', id],
      [2, 'Give --after or --since, one of them.', 'replay', id, '--after', '*', '--since', '2026-06-08'],
      [2, '--since takes a time such as', 'replay', id, '--since', 'soon'],
      [65, 'The cursor does not fit this list; give --after the next_cursor', 'replay', id, '--after', 'x'],
      [65, '--cursor must be * or a next_cursor of this list.', 'deliveries', id, '--cursor', 'x'],
      [1, 'There is no webhook with this id in', 'test', 'none'],
      [1, 'There is no webhook with this id in', 'delete', 'none'],
      [2, "missing required argument 'webhook-id'", 'delete'],
    ] as const) {
      const refused = await desk.run(...words);
      expect([words, refused.code, refused.stdout]).toEqual([words, code, '']);
      expect(refused.stderr).toMatch(/^roster: [^\n]+[^?.\n][?.]?\n(See: [^\n]+\n)?$/);
      expect(refused.stderr).toContain(`roster: ${sentence}`);
    }
    expect(await desk.json('show', id)).toMatchObject({ url: desk.receiver.url, state: 'active' });
  });
});
