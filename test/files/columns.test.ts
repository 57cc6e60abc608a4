import { describe, expect, it } from 'vitest';

import { contactImportFields } from '../../src/contacts/columns.ts';
import { contactReader } from '../../src/contacts/draft.ts';
import { pick } from '../../src/files/cells.ts';
import { matchColumns } from '../../src/files/columns.ts';
import { plainHeading } from '../../src/files/headings.ts';

const match = (headings: string[], mapped: Record<string, string> = {}) =>
  matchColumns(headings, contactReader, new Map(Object.entries(mapped)));
const picked = (headings: string[], cells: unknown[], mapped = {}) => pick(match(headings, mapped), cells);

describe('columns', () => {
  it('are known without regard to case, spaces, _ and -', () => {
    expect(plainHeading('Signed up (UTC)')).toBe('signedup');
    expect(['E-mail', 'e_MAIL', ' Email ', 'E - M A I L'].map(plainHeading)).toEqual(Array(4).fill('email'));
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
    const headings = ['Förnamn', 'Efternamn', 'Titel', '{odd}', 'email'];
    const cells = ['Zoë ', ' Groß', '', 'x', 'z@example.com'];
    const name = (text: string) => picked(headings, cells, { name: text });
    const email = 'z@example.com';
    expect(name('{Efternamn}, {Förnamn}')).toEqual({ texts: { email, name: 'Groß, Zoë' } });
    expect(name('{titel} {fornamn}  {efternamn}')).toEqual({ texts: { email, name: 'Zoë Groß' } });
    expect(name('{Förnamn}{Efternamn}')).toEqual({ texts: { email, name: 'ZoëGroß' } });
    expect(name('Dr. {Titel}')).toEqual({ texts: { email } });
    expect(name('{odd}')).toEqual({ texts: { email, name: 'x' } });
    expect(name('{email}/{Nope}')).toEqual({ texts: { name: 'z@example.com/' } });
    expect(match(headings, { name: '{Efternamn}, {Förnamn}' }).leftOut).toEqual([2, 3]);
  });

  it('fall back to a second telephone, but never to a second id or to a form of address', () => {
    expect(picked(['Business Phone', 'Mobile Phone'], ['', '555'])).toEqual({ texts: { phone: '555' } });
    expect(picked(['id', 'Record ID', 'name'], ['', '7', 'A'])).toEqual({ texts: { name: 'A' } });
    expect(picked(['Title', 'Job Title', 'name'], ['Dr', '', 'A'])).toEqual({ texts: { name: 'A' } });
  });

  it('of one heading are read one after the other', () => {
    const headings = ['Name', 'E-Mail', 'Email', 'Id', 'ID'];
    expect(picked(headings, ['Ana', '', 'ana@example.com', '', '7'])).toEqual({
      texts: { name: 'Ana', email: 'ana@example.com' },
    });
    expect(match(headings).leftOut).toEqual([4]);
    expect(match(headings, { email: 'E-Mail' }).leftOut).toEqual([2, 4]);
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
      warnings: ['more than one e-mail; the first was taken'],
    });
  });

  it('of e-mails and numbers give the first of several, and keep the others where columns are kept', () => {
    const columns = (headings: string[]) => matchColumns(headings, contactReader, new Map(), new Set());
    const warnings = ['more than one e-mail; the first was taken, and the others became attributes'];
    for (const cell of [
      'a@example.com;b@example.com',
      'a@example.com\nb@example.com',
      'a@example.com, b@example.com ;',
    ]) {
      const values = { 'attributes.email_2': 'b@example.com' };
      expect(pick(columns(['Email']), [cell])).toEqual({ texts: { email: 'a@example.com' }, values, warnings });
    }
    const phones = { texts: { phone: '+1 555 0100' }, values: { 'attributes.phone_3': '+1 555 0101' } };
    const both = ['Phone', 'Phone 2'];
    expect(pick(columns(both), ['+1 555 0100 ::: +1 555 0101', ''])).toMatchObject(phones);
    expect(pick(columns(['Phone', 'Mobile', 'Phone 2']), ['+1 555 0100', '+1 555 0101', ''])).toMatchObject(phones);
    expect(pick(columns(['Email', 'Work email']), ['a@example.com', 'A@Example.com'])).toEqual({
      texts: { email: 'a@example.com' },
    });
  });

  it('of numbers are not taken apart at an extension, nor in our own exports', () => {
    for (const phone of ['+1-555-0100;ext=12', '555 0100; evenings']) {
      expect(picked(['Phone'], [phone])).toEqual({ texts: { phone } });
    }
    const own = contactImportFields.filter((field) => !field.endsWith('.NAME'));
    const cells = own.map((field) => (field === 'phone' ? '+1 555 0100; +1 555 0101' : ''));
    expect(picked(own, cells)).toEqual({ texts: { phone: '+1 555 0100; +1 555 0101' } });
  });

  it.each([
    ['Vorname', 'Nachname'],
    ['Vorname', 'Name'],
    ['Prénom', 'Nom'],
    ['PRENOM', 'Nom de famille'],
    ['Nombre', 'Apellidos'],
    ['Nome', 'Sobrenome'],
    ['Nome', 'Cognome'],
    ['Voornaam', 'Achternaam'],
    ['Voornaam', 'Naam'],
  ])('%s and %s are the two parts of a name', (first, last) => {
    expect(picked([last, first, 'x'], ['Groß', 'Zoë', ''])).toEqual({
      texts: { name: 'Zoë Groß', first_name: 'Zoë', last_name: 'Groß' },
    });
  });

  it.each(['Name', 'Nom', 'Nombre', 'Nome', 'Naam', 'Vor- und Nachname', 'Nombre y apellidos'])(
    '%s alone is the whole name',
    (heading) => {
      expect(picked([heading], ['Zoë Groß'])).toEqual({ texts: { name: 'Zoë Groß' } });
    },
  );

  it('with the whole name beside its parts take it as it is', () => {
    expect(picked(['Name', 'Vorname', 'Nachname'], ['Zoë M. Groß', 'Zoë', 'Groß'])).toEqual({
      texts: { name: 'Zoë M. Groß', first_name: 'Zoë', last_name: 'Groß' },
    });
    expect(picked(['Voornaam', 'Tussenvoegsel', 'Achternaam'], ['Jan', 'van', 'Dijk']).texts).toMatchObject({
      name: 'Jan van Dijk',
    });
    expect(picked(['Nombre', 'Primer apellido', 'Segundo apellido'], ['Ana', 'Ruiz', 'Gil'])).toEqual({
      texts: { name: 'Ana Ruiz Gil', first_name: 'Ana', last_name: 'Ruiz Gil' },
    });
  });

  it.each([
    ['German', 'E-Mail-Adresse|Telefon|Firma|Funktion|Webseite|Branche|Straße|Ort|Bundesland|PLZ|Land|Erstellt am'],
    [
      'French',
      'Adresse e-mail|Téléphone|Société|Fonction|Site web|Secteur|Adresse|Ville|Région|Code postal|Pays|Créé le',
    ],
    [
      'Spanish',
      'Correo electrónico|Teléfono|Empresa|Cargo|Sitio web|Sector|Dirección|Ciudad|Provincia|Código postal|País|Fecha de creación',
    ],
    [
      'Portuguese',
      'Correio eletrónico|Telemóvel|Empresa|Função|Página web|Setor|Morada|Cidade|Estado|Código postal|País|Data de criação',
    ],
    [
      'Italian',
      'Indirizzo e-mail|Telefono|Azienda|Ruolo|Sito web|Settore|Indirizzo|Città|Provincia|CAP|Paese|Creato il',
    ],
    [
      'Dutch',
      'E-mailadres|Telefoonnummer|Bedrijf|Functie|Website|Branche|Adres|Plaats|Provincie|Postcode|Land|Aanmaakdatum',
    ],
  ])('are known in %s', (_, words) => {
    const cells = ['a@example.com', '+1 555 0100', 'B', 'C', 'd.example.com', 'E', 'F 1', 'G', 'H', '01234', 'I'];
    expect(picked(words.split('|'), [...cells, '01.12.2025 13:30'])).toEqual({
      texts: {
        email: 'a@example.com',
        phone: '+1 555 0100',
        company: 'B',
        job_title: 'C',
        website: 'd.example.com',
        industry: 'E',
        address: 'F 1',
        city: 'G',
        state: 'H',
        postal_code: '01234',
        country: 'I',
        created_at: '2025-12-01 13:30',
      },
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
