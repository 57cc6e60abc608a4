import { describe, expect, it } from 'vitest';

import { readChatbot, readContact, readTime } from '../../src/chatling/reading.ts';
import { aFakeContact } from '../support/chatling.ts';

describe('a time of the source', () => {
  it.each([
    ['2024-06-05T12:13:35+00:00', '2024-06-05T12:13:35+00:00', 'read'],
    ['2024-06-05T12:13:35:00+00:00', '2024-06-05T12:13:35+00:00', 'mended'],
    ['2024-06-05T12:13:35:00+02:00', '2024-06-05T10:13:35+00:00', 'mended'],
    ['2024-06-05T12:13:35.123456Z', '2024-06-05T12:13:35+00:00', 'read'],
    [1717589615, '2024-06-05T12:13:35+00:00', 'read'],
    ['2024-06-31T12:13:35+00:00', undefined, 'unknown'],
    ['yesterday', undefined, 'unknown'],
    ['', undefined, 'unknown'],
    [null, undefined, 'unknown'],
    [{}, undefined, 'unknown'],
  ])('%j is %s', (text, at, time) => {
    expect(readTime(text)).toEqual(at === undefined ? { time } : { time, at });
  });
});

describe('a contact of the source', () => {
  it('loses a value that cannot be kept, and no other', () => {
    const raw = aFakeContact(1, {
      email: 'not an address',
      phone: 15550100,
      company: ['Example'],
      name: ' Ana ',
      website: '',
    });
    const read = readContact(raw, false);
    expect(read).toMatchObject({
      contact: { texts: { name: 'Ana', phone: '15550100', job_title: null, website: null } },
      leftOut: [
        { field: 'email', reason: 'is not an e-mail address' },
        { field: 'company', reason: 'is not a text' },
      ],
    });
    expect('contact' in read && Object.keys(read.contact.texts)).toEqual([
      'id',
      'name',
      'job_title',
      'phone',
      'website',
      'created_at',
    ]);
  });

  it.each([
    [{ id: '' }, 'id is not 1 to 64 characters'],
    [{ id: 'x'.repeat(65) }, 'id is not 1 to 64 characters'],
    [{ id: 'half a pair \uD800' }, 'id is not 1 to 64 characters'],
    [{ name: null, email: 'nothing', phone: null, company: null }, 'has none of'],
  ])('is refused where nothing can be kept: %j', (given, reason) => {
    expect(readContact(aFakeContact(1, given), false)).toEqual({ objection: expect.stringContaining(reason) });
  });

  it('keeps what another Roster tells of it', () => {
    const more = {
      first_name: 'Ana',
      external_id: 'crm-1',
      attributes: { vip: true, 'Bad Name': 1 },
      tags: ['B', 'a'],
    };
    const read = readContact({ ...aFakeContact(1), ...more }, true);
    expect(read).toMatchObject({ contact: { texts: { first_name: 'Ana', external_id: 'crm-1', city: null } } });
    expect('leftOut' in read && read.leftOut.map(({ field }) => field)).toEqual(['attributes']);
    const fine = readContact({ ...aFakeContact(1), ...more, attributes: { vip: true } }, true);
    expect(fine).toMatchObject({ contact: { attributes: { vip: true }, tags: ['a', 'b'] }, leftOut: [] });
  });
});

describe('a chatbot of the source', () => {
  it('may have a number for an id, and no name that can be kept', () => {
    expect(readChatbot({ id: 8839210412, name: '', visibility: 'odd' })).toEqual({
      id: '8839210412',
      name: '8839210412',
      visibility: 'private',
      created_at: undefined,
    });
    expect(readChatbot({ name: 'Front desk' })).toBeUndefined();
  });
});
