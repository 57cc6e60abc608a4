import { existsSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { aDesk, chatbotId, toDesk } from '../../support/desk.ts';
import type { Installation } from '../../support/process.ts';

describe.skipIf(process.platform !== 'linux' || !existsSync('/usr/bin/script'))('on a terminal', () => {
  /** Runs a command of contacts on a terminal of 80 columns. */
  const onTerminal = (at: Installation, line: string) => {
    const quoted = `stty cols 80; $0 $* contacts ${line} --chatbot ${chatbotId}`;
    return at.startUnder('/bin/sh', ['-c', `exec script -qec "${quoted}" /dev/null`]);
  };

  it('purge asks for the id, and deletes nobody for another answer', async () => {
    await using desk = await aDesk({ id: 'a' });
    for (const [typed, code, said] of [
      ['b\r', 1, 'nothing was deleted'],
      ['\u0004', 1, 'nothing was deleted'],
      ['\u0003', 130, ''],
      ['a\r', 0, 'purged'],
    ] as const) {
      const purging = onTerminal(desk.at, 'purge a');
      await purging.until(/Type its id to confirm: /);
      purging.child.stdin?.write(typed);
      const { code: ended, stdout } = await purging.ended;
      expect([typed, ended, stdout]).toEqual([typed, code, expect.stringContaining(said)]);
      expect([typed, (await desk.run('show', 'a')).code]).toEqual([typed, code === 0 ? 1 : 0]);
    }
  });

  it('list fits 80 columns, whatever is cut of names and addresses, and keeps ids whole', async () => {
    const long = { name: `Ana ${'Lucía '.repeat(20)}`.trim(), email: `${'a'.repeat(60)}@example.com` };
    const id = '018ff844-cbc8-7a1e-9c0d-5f2b7e3a9d41';
    await using desk = await aDesk({ ...long, id }, { id: 'wide', name: '静香'.repeat(20), email: null });
    const { stdout } = await onTerminal(desk.at, 'list').ended;
    const [heading = '', wide = '', first = ''] = stdout.split('\r\n');
    expect([heading.indexOf('NAME'), wide.indexOf('静'), first.slice(0, 38)]).toEqual([38, 38, `${id}  `]);
    expect(first).toMatch(/ Ana [^…]+… +a+…$/);
    expect(first.length).toBeLessThanOrEqual(80);
    expect(wide.replaceAll(/[静香]/g, '##').length).toBeLessThanOrEqual(80);
  });
});

describe('wrong input of contacts', () => {
  let desk: Awaited<ReturnType<typeof aDesk>>;
  beforeAll(async () => {
    desk = await aDesk({ id: 'a', email: null, phone: null, website: null });
  });
  afterAll(() => desk[Symbol.asyncDispose]());
  const secret = 'someone@example';

  it.each([
    ['set', 'email=someone@example', 65, /^--set email must be an e-mail address\.$/],
    ['set', 'website=someone@example:x', 65, /^--set website must be a web address\.$/],
    ['set', 'emial=someone@example', 2, /^--set: "emial" is no property; did you mean email\?$/],
    ['set', 'postal-code=someone@example', 2, /did you mean postal_code\?$/],
    ['set', 'someone@example', 2, /^--set takes NAME=VALUE/],
    ['set', 'someone@example=x', 2, /^--set: this is no property; there are name, email, .*attributes\.NAME\.$/],
    ['set', 'attributes.someone@example=1', 2, /^--set: the name of an attribute is 1 to 40 of a-z/],
    ['set', 'attributes=someone@example', 2, /^--set names one attribute, such as/],
    ['set', 'tags=someone@example|x', 65, /^--set tags must be 1 to 40 characters without , ; and \|\.$/],
    ['add-tag', 'someone@example;x', 65, /^--add-tag must be 1 to 40 characters without , ; and \|\.$/],
    ['add-tag', 'someone@example,x', 65, /^--add-tag must be 1 to 40 characters without , ; and \|\.$/],
    ['remove-tag', 'someone@example,x', 65, /^--remove-tag must be 1 to 40 characters/],
    ['remove-tag', `someone@example${'x'.repeat(40)}`, 65, /^--remove-tag must have at most 40 characters\.$/],
    ['unset', 'someone@example', 2, /^--unset: this is no property/],
    ['unset', 'name', 65, /^What is written must leave a name, an e-mail or another/],
    ['properties', 'someone@example', 74, /no such file or folder; check the path: the one after --properties\.$/],
  ])('--%s %s is refused by its option, and not repeated', async (option, value, code, sentence) => {
    const refused = await desk.run('update', 'a', `--${option}`, value);
    expect([refused.code, refused.stdout]).toEqual([code, '']);
    expect(refused.stderr.trim()).toMatch(/^roster: /);
    expect(refused.stderr.trim().slice('roster: '.length)).toMatch(sentence);
    expect(refused.stderr).not.toContain(secret);
  });

  it.each([
    ['update', ['a'], '', 2, /nothing to write; give --set/],
    ['update', ['a', '--set', 'city=A', '--unset', 'city'], '', 2, /given twice/],
    ['update', ['a', '--set', 'tags=a', '--add-tag', 'b'], '', 2, /--set tags.* leave out --add-tag/],
    ['update', ['a', '--unset', 'attributes', '--set', 'attributes.a=b'], '', 2, /clears them all/],
    [
      'update',
      ['a', '--set', 'company=A', '--set', 'company_name=B'],
      '',
      65,
      /--set company cannot be given with company_name/,
    ],
    ['update', ['a', '--properties', '-', '--set', 'city=A'], '{}', 2, /leave out the other options/],
    ['update', ['a', '--properties', '-'], '{"email":"someone@example"}', 65, /--properties: email must be an e-mail/],
    ['update', ['a', '--properties', '-'], '{"emial":"someone@example"}', 65, /--properties: emial is not known/],
    ['create', ['--properties', '-'], '{"properties":{}}', 65, /--properties takes the object inside "properties"/],
    ['create', ['--properties', '-'], '["someone@example"]', 65, /must hold a JSON object/],
    ['create', ['--set', 'external_id=x'], '', 65, /must have a name/],
    ['create', [], '', 2, /give --set/],
    ['show', ['nobody'], '', 1, /no such contact in chatbot 8839210412 of .*"roster contacts list" shows/],
    ['show', ['x'.repeat(65)], '', 65, /<contact-id> must have at most 64/],
    ['show', ['a', '--include', 'tgas'], '', 2, /details, external_id, attributes, tags, updated_at and all/],
    ['lookup', ['someone@example'], '', 2, /too many arguments .*but got 1\.$/m],
    ['lookup', [], '', 2, /give --email, --phone, --external-id or --id/],
    ['lookup', ['--email', '-'], ' \n', 2, /nothing to look up in --email/],
    ['lookup', ['--email', '-'], 'someone@example'.repeat(400), 65, /more than one value/],
    ['lookup', ['--email', 'someone@example', '--phone', '1'], '', 2, /cannot be used with/],
    ['list', ['--limit', '1001'], '', 2, /1 to 1000/],
    ['list', ['--after', 'someone@example'], '', 65, /--after must be/],
    ['list', ['--deleted', '--sort', 'date_asc'], '', 65, /--sort cannot be chosen in the bin/],
    ['list', ['--sort', 'name'], '', 2, /date_desc, date_asc/],
  ])('%s %j ends with one sentence', async (command, words, input, code, sentence) => {
    const refused = await desk.at.run(['contacts', command, ...words, ...toDesk], { input });
    expect([refused.code, refused.stdout]).toEqual([code, '']);
    expect(refused.stderr).toMatch(/^roster: [^\n]+\n(See: [^\n]+\n)?$/);
    expect(refused.stderr).toMatch(sentence);
    expect(refused.stderr).not.toContain(secret);
  });
});
