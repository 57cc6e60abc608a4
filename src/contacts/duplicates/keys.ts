import { hash } from 'node:crypto';

import { emailKey } from '../../values/email.ts';
import type { StoredContact } from '../contact.ts';
import { foldedWords } from '../words.ts';
import { isPublicMailbox } from './mailboxes.ts';
import type { DuplicateKeys } from './store.ts';

const phoneDigits = 9;
/** A shorter number is an extension, or says too little. */
const phoneDigitsMin = 7;

export function duplicateKeysOf({ id, name, email, phone, company }: StoredContact): DuplicateKeys {
  const words = [...new Set(foldedWords(name ?? '', accents))].toSorted().join(' ');
  const digits = digitsIn(phone ?? '');
  const address = emailKey(email?.normalize('NFC') ?? '');
  const domain = address.slice(address.lastIndexOf('@') + 1);
  const named = (...parts: string[]) => (words === '' || parts.includes('') ? 0 : digestOf(...parts, words));
  return {
    id,
    email: address === '' ? 0 : digestOf('email', address),
    phone: digits.length < phoneDigitsMin ? 0 : digestOf('phone', digits.slice(-phoneDigits)),
    name: named('name'),
    company: named('company', companyWords(company ?? '')),
    domain: named('domain', isPublicMailbox(domain) ? '' : domain),
  };
}

/** Marks of Latin, Greek and Cyrillic letters, and vowel points. In other scripts, as in kana, a mark makes another letter. */
const accents = /[[[\p{M}&&\p{Script=Inherited}]--[\u3099\u309a]]\u0591-\u05c7]+/gv;

const hexDigits = 12;

/** 48 bits: two contacts with one digest are compared by all their digests. */
function digestOf(...parts: readonly string[]): number {
  return Number.parseInt(hash('sha256', JSON.stringify(parts), 'hex').slice(0, hexDigits), 16);
}

const ascii = /^[\0-\x7f]*$/;
const decimal = /\p{Nd}/u;

/** The digits of any script, as 0 to 9. */
function digitsIn(phone: string): string {
  if (ascii.test(phone)) return phone.replaceAll(/\D/g, '');
  return Array.from(phone.normalize('NFKC').matchAll(/\p{Nd}/gu), ([digit]) => {
    const code = digit.codePointAt(0) ?? 0;
    let zero = code;
    while (code - zero < 9 && decimal.test(String.fromCodePoint(zero - 1))) zero--;
    return code - zero;
  }).join('');
}

const legalForms = new Set(
  `ab ag aps as asa bv co company corp corporation doo eood foundation gmbh inc incorporated kft kg kk limited
  llc llp lp ltd ltda nv oü oy oyj plc pt pte pty pvt private sa sarl sas sl spa spol srl sro sp zoo
  ооо оао зао пао ао тов еоод оод ад`.match(/\S+/g),
);
const legalSigns =
  /株式会社|有限会社|合同会社|有限责任公司|有限責任公司|股份有限公司|有限公司|주식회사|유한회사|㈜|㈱/g;

/** The words of a company without its legal form, unless nothing else is left; initials are one word. */
function companyWords(company: string): string {
  const plain = company.replaceAll(legalSigns, ' ').replaceAll(/(?<=\p{L})[./](?=\p{L})/gu, '');
  const words = foldedWords(plain.trim() === '' ? company : plain, accents);
  const own = words.filter((word) => !legalForms.has(word));
  return (own.length > 0 ? own : words).join(' ');
}
