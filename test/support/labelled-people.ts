import type { StoredContact } from '../../src/contacts/contact.ts';
import { aContact } from './people.ts';
import { seededRandom } from './random.ts';

/** Syllables of thirty scripts: names are made up of them. Some differ in a vowel sign or a mark alone. */
const scripts: readonly string[][] = [
  'an lu cía fer bo øs té mar jö ric sö ña', 'γι ώρ γος σο φία ελ ένη νί κος', 'еле на ёл йор дан ми ра кий ко', 'ար ամ նա րե գա սի լա մի',
  'გი ორ გი ნი ნო თა მა რი', 'דו יד מי רה לא נע שלו', 'مح مد سا رة لي نو را', 'ܡܪ ܝܡ ܐܒ ܪܗ ܣܪ ܓܘ', 'އަ ހު މަ ދު ލި ޝާ',
  'रा म मा र प्रि या अ नि ल नी', 'রা ম মা নী ল সু মি তা', 'ਗੁ ਰ ਮੀ ਤ ਸਿ ੰਘ ਕੌ', 'રા જ મી ના પ ટે લ', 'ରା ମ ସୀ ତା ଦା ସ', 'க வி தா மு ரு கன் ரா',
  'రా మ సీ తా లక్ ష్మి', 'ರಾ ಮ ಸೀ ತಾ ಗೌ ಡ', 'മീ ന രാ ജ നാ യർ', 'නි මල් සු නි ල් රා', 'สม ชาย นก วร รณ ดา', 'ສົມ ສັກ ນາງ ແກ້ວ ຄຳ', 'བཀྲ ཤིས ཚེ རིང དོན',
  'အောင် မြ လှ သူ စန္ ဒာ', 'សុ ខា ចន្ ថា រី ណា', 'አበ በ ማር ታ ሰላ ም', 'ᏣᎳ ᎩᎠ ᎹᏱ ᏌᎪ ᏯᏂ', '김 이 박 민 준 서 연 지 우', '王 李 张 伟 芳 娜 明 强 丽', 'さ き ぎ た だ けん ゆ み', 'サ キ ギ タ ダ ケン ユ ミ',
].map((line) => line.split(' ')); // prettier-ignore
const sizeOfSet = { pairs: 1_000, families: 150, namesakes: 200 };
const forms = ['Ltd', 'GmbH', 'S.A.', 'LLC', 'Inc.'];

export interface Labelled {
  contacts: StoredContact[];
  /** Who each contact is, by its id. */
  personOf: ReadonlyMap<string, number>;
  pairs: number;
}

/** Made-up people, some of them there twice, with families behind one address or phone, and namesakes. */
export function labelledPeople(total: number, seed = 1): Labelled {
  const { pick, below } = seededRandom(seed);
  const share = total / 10_000;
  const contacts: StoredContact[] = [];
  const personOf = new Map<string, number>();
  let people = 0;
  const word = (script: readonly string[]) => Array.from({ length: 2 + below(2) }, () => pick(script)).join('');
  const digits = () => `6${String((people * 7_919 + below(7_919)) % 100_000_000).padStart(8, '0')}`;
  const somebody = () => {
    people++;
    const script = pick(scripts);
    const domain = below(3) === 0 ? pick(['gmail.com', 'web.de', 'yahoo.co.uk']) : `firm${below(2_000)}.example`;
    return {
      name: `${word(script)} ${word(script)}`,
      email: `p${people}@${domain}`,
      phone: `+34 ${digits()}`,
      company: `${word(script)} ${below(3_000)} ${pick(forms)}`,
    };
  };
  type Person = { [Key in keyof ReturnType<typeof somebody>]: string | null };
  const add = (person: Person, who = people) => {
    const id = `c${String(below(1_000_000_000)).padStart(9, '0')}-${contacts.length}`;
    contacts.push(aContact({ id, website: null, ...person }));
    personOf.set(id, who);
  };
  for (let i = 0; i < sizeOfSet.pairs * share; i++) {
    const one = somebody();
    // Most records lack something.
    const first: Person = { ...one, ...(below(4) === 0 && { company: null }) };
    const again = pick(variants)(one, { pick, below });
    add(first);
    add(again);
  }
  for (let i = 0; i < sizeOfSet.families * share; i++) {
    const one = somebody();
    const [, family = ''] = one.name.split(' ');
    const shared: Partial<Person> = i % 2 === 0 ? { email: one.email } : { phone: one.phone };
    const script = scripts.find((some) => some.some((part) => family.startsWith(part))) ?? [];
    const given = new Set(Array.from({ length: 2 + below(4) }, () => word(script)));
    for (const name of given) {
      people++;
      const own = {
        email: i % 3 === 0 ? null : `f${people}@home.example`,
        phone: i % 3 === 1 ? null : `+34 ${digits()}`,
      };
      add({ name: `${name} ${family}`, company: null, ...own, ...shared });
    }
    people++;
    // Anybody of the family may be behind it.
    if (i % 5 === 0 && given.size > 1) add({ name: null, email: null, phone: null, company: null, ...shared });
  }
  for (let i = 0; i < sizeOfSet.namesakes * share; i++) {
    const one = somebody();
    add(one);
    add({ ...somebody(), name: one.name, ...(i % 2 === 0 && { company: one.company }) });
  }
  while (contacts.length < total) {
    const one = somebody();
    add({ ...one, ...(below(3) === 0 && { phone: null }), ...(below(3) === 0 && { company: null }) });
  }
  return { contacts, personOf, pairs: sizeOfSet.pairs * share };
}

type Whole = Record<'name' | 'email' | 'phone' | 'company', string>;
type Again = (one: Whole, random: ReturnType<typeof seededRandom>) => Record<keyof Whole, string | null>;

const accented: Readonly<Record<string, string>> = { a: 'á', e: 'è', o: 'ö', u: 'ü', н: 'н', а: 'а́', ο: 'ό', ر: 'رَ' };
const reversed = (name: string) => name.split(' ').toReversed().join(', ');
const easternDigits = (phone: string) =>
  phone.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x06_60 + Number(digit)));
const spaced = (phone: string) => phone.replace('+34 ', '0034-').replaceAll(/(\d{3})(?=\d)/g, '$1 ');

/** How a person comes a second time. The last two leave hardly a trace. */
const variants: readonly Again[] = [
  (one) => ({ ...one, name: one.name.toUpperCase(), email: one.email.toUpperCase(), phone: null }),
  (one) => ({ ...one, name: one.name.replaceAll(/[aeouаοر]/g, (letter) => accented[letter] ?? letter), phone: null }),
  (one) => ({ ...one, name: reversed(one.name), email: null, phone: spaced(one.phone) }),
  (one) => ({ ...one, name: one.name.normalize('NFD'), email: null, phone: easternDigits(one.phone), company: null }),
  (one) => ({ ...one, name: null, company: null }),
  (one) => ({ ...one, name: null, email: null, phone: one.phone.slice(4) }),
  (one) => ({ ...one, email: one.email, phone: '+34 600 000', company: null }),
  (one, { pick }) => ({ ...one, email: null, phone: null, company: one.company.replace(/\S+$/, pick(forms)) }),
  (one) => ({ ...one, email: null, phone: null, company: one.company.replace(/ \S+$/, '').toUpperCase() }),
  (one) => ({ ...one, name: one.name.slice(0, -1), phone: null }),
  (one) => ({ ...one, name: one.name.split(' ')[0] ?? '', email: null }),
  (one) => ({ ...one, email: one.email.replace('@', '.x@'), phone: null }),
  (one, { below }) =>
    below(2) === 0 ? { ...one, email: 'new.address@gmail.com', phone: null, company: null } : { ...one },
];
