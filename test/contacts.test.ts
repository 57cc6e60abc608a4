import { describe, expect, it } from 'vitest';

import { checkContact, type ContactTexts } from '../src/contacts/draft.ts';

const objections = (draft: ContactTexts) => {
  const checked = checkContact(draft);
  return 'objections' in checked ? checked.objections : [];
};

describe('a contact that comes in', () => {
  it.each(['ana@example.com', "o'brien+tag@sub.example.co.uk", 'josé@exämple.com', '静香@例示.example', 'a@b.co'])(
    'may have the address %s',
    (email) => {
      expect(objections({ email })).toEqual([]);
    },
  );

  it.each([
    'ana',
    'ana@',
    '@example.com',
    'ana@example',
    'a b@example.com',
    'ana@@example.com',
    'ana@example..com',
    'ana@.com',
    'Ana <ana@example.com>',
    'ana@example.com,bob@example.com',
    `${'x'.repeat(65)}@example.com`,
    `a@${'x'.repeat(250)}.com`,
  ])('may not have the address %s', (email) => {
    expect(objections({ email })).toEqual([expect.stringMatching(/^email is /)]);
  });

  it.each([
    'https://example.com',
    'HTTP://EXAMPLE.com/path?q=1#x',
    'example.com',
    'www.example.com/people',
    'example.com:8080',
    'https://münchen.example',
    'https://localhost:3000',
  ])('may have the website %s', (website) => {
    expect(objections({ website })).toEqual([]);
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://example.com',
    'mailto:a@example.com',
    'a@example.com',
    'nonsense',
    'https://',
    'http://exa mple.com',
    'file:///etc/passwd',
    'user:pass@example.com',
  ])('may not have the website %s', (website) => {
    expect(objections({ website })).toEqual(['website is not a web address']);
  });

  it('may have any text as telephone number, up to 64 characters', () => {
    for (const phone of ['+1 (555) 0100 ext. 7', 'ask Ana', '555', '電話']) expect(objections({ phone })).toEqual([]);
    expect(objections({ phone: '5'.repeat(65) })).toEqual(['phone is longer than 64 characters']);
  });

  it('has its lengths counted in characters, not in bytes or UTF-16 units', () => {
    expect(objections({ name: '😀'.repeat(255) })).toEqual([]);
    expect(objections({ name: '😀'.repeat(256) })).toEqual(['name is longer than 255 characters']);
    expect(objections({ company: 'é'.repeat(255), job_title: 'x'.repeat(256) })).toEqual([
      'job_title is longer than 255 characters',
    ]);
    expect(objections({ website: `https://example.com/${'x'.repeat(2_028)}` })).toEqual([]);
    expect(objections({ website: `https://example.com/${'x'.repeat(2_029)}` })).toHaveLength(1);
  });

  it('may hold no zero character and no half of a surrogate pair', () => {
    expect(objections({ name: 'a\0b' })).toEqual(['name holds a character that cannot be stored']);
    expect(objections({ name: '\ud83d' })).toEqual(['name holds a character that cannot be stored']);
    expect(objections({ id: 'a\0', name: 'x' })).toEqual(['id is not 1 to 64 characters']);
  });

  it('needs one of its fourteen details', () => {
    expect(objections({ id: 'x', created_at: '2024-06-08' })).toEqual([expect.stringContaining('has none of')]);
    for (const detail of ['name', 'phone', 'company', 'job_title', 'city', 'last_name'] as const)
      expect(objections({ [detail]: 'x' })).toEqual([]);
  });

  it('hears every objection at once, without its own values', () => {
    const heard = objections({
      id: 'i'.repeat(65),
      email: 'planted',
      website: 'planted',
      created_at: 'planted',
    });
    expect(heard).toHaveLength(4);
    expect(heard.join()).not.toContain('planted');
  });
});
