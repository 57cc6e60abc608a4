import { describe, expect, it } from 'vitest';

import { contactReader } from '../../src/contacts/reader.ts';
import { pick } from '../../src/files/cells.ts';
import { matchColumns, plain } from '../../src/files/columns.ts';

const match = (headings: string[], mapped: Record<string, string> = {}) =>
  matchColumns(headings, contactReader, new Map(Object.entries(mapped)));
const picked = (headings: string[], cells: unknown[], mapped = {}) => pick(match(headings, mapped), cells);

describe('columns', () => {
  it('are known without regard to case, spaces, _ and -', () => {
    expect(plain('Signed up (UTC)')).toBe('signedup');
    expect(['E-mail', 'e_MAIL', ' Email ', 'E - M A I L'].map(plain)).toEqual(Array(4).fill('email'));
  });

  it('join first and last name where there is no full one, row by row', () => {
    const headings = ['Full name', 'First Name', 'Last Name'];
    const parts = { first_name: 'Ana', last_name: 'Ferreira' };
    expect(picked(headings, ['Ana L. Ferreira', 'Ana', 'Ferreira'])).toEqual({
      texts: { name: 'Ana L. Ferreira', ...parts },
    });
    expect(picked(headings, ['', 'Ana', 'Ferreira'])).toEqual({ texts: { name: 'Ana Ferreira', ...parts } });
    expect(picked(['First Name'], ['Ana'])).toEqual({ texts: { name: 'Ana', first_name: 'Ana' } });
  });

  it('join middle names and suffixes too, but make no name of those alone', () => {
    const whole = { texts: { name: 'Ana Maria Ferreira Jr.', first_name: 'Ana', last_name: 'Ferreira' } };
    const cells = ['Ana', 'Maria', 'Ferreira', 'Jr.'];
    for (const headings of [
      ['First Name', 'Middle Name', 'Last Name', 'Suffix'],
      ['First Name', 'Middle Name', 'Last Name', 'Name Suffix'],
      ['Given Name', 'Additional Name', 'Family Name', 'Name Suffix'],
      ['first_name', 'middle_name', 'last_name', 'suffix'],
    ]) {
      expect(picked(headings, cells)).toEqual(whole);
    }
    expect(picked(['Last Name', 'Suffix'], ['Ferreira', 'Jr.'])).toEqual({
      texts: { name: 'Ferreira Jr.', last_name: 'Ferreira' },
    });
    expect(picked(['Middle Name', 'Suffix', 'Phone'], ['Maria', 'Jr.', '555'])).toEqual({ texts: { phone: '555' } });
  });

  it('are joined as the operator says, with what stands between them', () => {
    const headings = ['Vorname', 'Nachname', 'Titel', '{odd}', 'email'];
    const cells = ['Zoë ', ' Groß', '', 'x', 'z@example.com'];
    const name = (text: string) => picked(headings, cells, { name: text });
    const email = 'z@example.com';
    expect(name('{Nachname}, {Vorname}')).toEqual({ texts: { email, name: 'Groß, Zoë' } });
    expect(name('{titel} {vorname}  {nachname}')).toEqual({ texts: { email, name: 'Zoë Groß' } });
    expect(name('{Vorname}{Nachname}')).toEqual({ texts: { email, name: 'ZoëGroß' } });
    expect(name('Dr. {Titel}')).toEqual({ texts: { email } });
    expect(name('{odd}')).toEqual({ texts: { email, name: 'x' } });
    expect(name('{email}/{Nope}')).toEqual({ texts: { name: 'z@example.com/' } });
    expect(match(headings, { name: '{Nachname}, {Vorname}' }).leftOut).toEqual([2, 3]);
  });

  it('fall back to a second telephone, but never to a second id or to a form of address', () => {
    expect(picked(['Business Phone', 'Mobile Phone'], ['', '555'])).toEqual({ texts: { phone: '555' } });
    expect(picked(['id', 'Record ID', 'name'], ['', '7', 'A'])).toEqual({ texts: { name: 'A' } });
    expect(picked(['Title', 'Job Title', 'name'], ['Dr', '', 'A'])).toEqual({ texts: { name: 'A' } });
  });

  it('that mean nothing are named', () => {
    expect(match(['name', 'birthday', 'party']).leftOut).toEqual([1, 2]);
  });

  it('are chosen by the operator, and then mean nothing else', () => {
    expect(
      picked(['name', 'email', 'Notes'], ['A', 'b@example.com', 'C'], { company: 'email', name: 'notes' }),
    ).toEqual({
      texts: { name: 'C', company: 'b@example.com' },
    });
  });

  it('of JSON may hold numbers, lists of texts and null, but no objects', () => {
    expect(picked(['id', 'name', 'phone'], [7, 'A', null])).toEqual({ texts: { id: '7', name: 'A' } });
    expect(picked(['name'], [{ first: 'A' }])).toEqual({ texts: {}, objections: ['name is not a text'] });
  });

  it('of JSON refuse a number that reading has changed, and trim the items of a list', () => {
    expect(picked(['id'], [JSON.parse('12345678901234567891')])).toEqual({
      texts: {},
      objections: ['id is a number too long to be exact; put it in quotes'],
    });
    expect(picked(['id', 'name'], [9_007_199_254_740_991, [' A ', ' ']])).toEqual({
      texts: { id: '9007199254740991', name: 'A' },
    });
    expect(picked(['name'], [[' ']])).toEqual({ texts: {} });
  });

  it('with several values in a cell, as Google joins them, give the first', () => {
    expect(picked(['E-mail 1 - Value'], ['a@example.com ::: b@example.com'])).toEqual({
      texts: { email: 'a@example.com' },
    });
  });

  it('of addresses are known by the headings of other products, a block at a time', () => {
    const texts = { address: 'A 1', city: 'B', state: 'C', postal_code: 'D', country: 'E' };
    for (const headings of [
      ['Street Address', 'City', 'State/Region', 'Postal Code', 'Country/Region'],
      [
        'Address 1 - Street',
        'Address 1 - City',
        'Address 1 - Region',
        'Address 1 - Postal Code',
        'Address 1 - Country',
      ],
      ['Business Street', 'Business City', 'Business State', 'Business Postal Code', 'Business Country/Region'],
      ['address', 'city', 'state', 'postal_code', 'country'],
      ['Street', 'City', 'Province', 'ZIP Code', 'Country'],
    ]) {
      expect(picked(headings, ['A 1', 'B', 'C', 'D', 'E'])).toEqual({ texts });
    }
    expect(picked(['Business Street', 'Business Street 2', 'Business Street 3'], ['A 1', '', 'C'])).toEqual({
      texts: { address: 'A 1 C' },
    });
    expect(picked(['Business City', 'Home City'], ['', 'B'])).toEqual({ texts: {} });
  });

  it('of user ids are external ids beside the signing up of Intercom, and those of owners elsewhere', () => {
    expect(picked(['User ID', 'Signed up'], ['7', ''])).toEqual({ texts: { external_id: '7' } });
    expect(picked(['User ID', 'email'], ['7', ''])).toEqual({ texts: {} });
    expect(picked(['External ID'], ['7'])).toEqual({ texts: { external_id: '7' } });
  });

  it('of attributes are named as in an export, or made so, and one of each name counts', () => {
    const headings = [
      'attributes.a__b',
      'Attributes.leadStatus',
      'attributes.Größe (cm)',
      'attributes.a__b',
      'attributes.1',
    ];
    const columns = match(headings);
    expect([...columns.sources.keys()]).toEqual(['attributes.a__b', 'attributes.lead_status', 'attributes.grosse_cm']);
    expect(columns.leftOut).toEqual([3, 4]);
    expect(pick(columns, [' x ', '', 5, 'y', 'z'])).toEqual({
      texts: {},
      values: { 'attributes.a__b': 'x', 'attributes.grosse_cm': 5 },
    });
  });
});
