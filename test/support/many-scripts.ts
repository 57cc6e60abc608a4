import type { seededRandom } from './random.ts';
import type { Person } from './search-reference.ts';

type Random = ReturnType<typeof seededRandom>;

/** Made-up names in twelve scripts and more, with what folding must see through. */
const names = [
  'Ana Lucía', 'ANA', 'Anaïs', 'Łukasz', 'Øystein', 'Straße', 'Þórður', 'Ħal', 'Iğdır', 'İpek', 'Đorđe', 'Ŋala', 'Œuvre', 'Ærø',
  'Ferreira', 'Fernández', 'ﬁona', 'Ｆｕｌｌ', 'O’Brien', 'Müller-Lüdenscheidt', "D'Angelo", 'x', 'X Æ A-12',
  'Γιώργος', 'ΓΙΩΡΓΟΣ', 'Σοφία', 'Елена', 'ЁЛКА', 'Йордан', 'Արամ', 'דוד', 'שָׁלוֹם', 'محمد', 'مُحَمَّد', 'अनिल', 'प्रिया', 'தமிழ்',
  'สมชาย', 'สวัสดีครับ', '山田太郎', '田中', '株式会社サクラ', 'サクラ', 'ｻｸﾗ', 'さくら', '김민준', '이서연', 'გიორგი', 'አበበ', '王小明2号',
  'ສົມສັກ', 'សុខា', 'အောင်ဇော်', '山田강민준', '"NEAR(a b)" AND c*', "O\\'Neil | x & !y:*", '~tag', '㍿日本', 'ヴァイオリン',
]; // prettier-ignore
const hosts = ['example.com', 'EXAMPLE.org', 'mail.example.net', 'bücher.example'];
const locals = ['ana', 'ANA.FER', 'o_brien', 'jörg', 'x+crm', '张伟', 'bo-7'];
const phones = [
  null,
  '+1 (555) 010-0199',
  '555.0100',
  '+44 20 7946 0958 ext. 12',
  '０３ ５５５５ ０１２３',
  '٠١٢٣',
  '5550100',
];
const titles = [null, 'Head of Sales', 'CEO', 'Geschäftsführer', 'ผู้จัดการ', '部長', 'ingénieure'];
const tags = ['vip', 'très bien', '東京', 'no-reply', 'a b'];

export function somebody(random: Random, id: string): Person {
  const pick = random.pick;
  const maybe = <T>(value: T) => (random.below(3) === 0 ? null : value);
  const day = 1 + random.below(28);
  // Several share a time; half of them are of one day.
  const date =
    random.below(2) === 0
      ? '2026-03-01'
      : `202${random.below(6)}-0${1 + random.below(9)}-${String(day).padStart(2, '0')}`;
  return {
    id,
    name: maybe([...new Set([pick(names), pick(names)])].join(pick([' ', '-', ' \u{1F600} ']))) ?? pick(names),
    email: maybe(`${pick(locals)}${random.below(40)}@${pick(hosts)}`),
    phone: pick(phones),
    company: maybe(`${pick(names)} ${pick(['Ltd', 'GmbH', '株式会社', 'S.A.'])}`),
    job_title: pick(titles),
    external_id: maybe(`crm-${id}`),
    tags: tags.filter(() => random.below(6) === 0).toSorted(),
    created_at: `${date}T0${random.below(10)}:00:${String(random.below(3)).padStart(2, '0')}+00:00`,
  };
}

/** What somebody may type: beginnings and whole words, signs between them, things that nobody has. */
export function someQuery(random: Random, people: readonly Person[]): string {
  const { pick, below } = random;
  const typed = Array.from({ length: 1 + below(3) }, () => {
    const { name, email, company, phone, external_id: id, tags: own } = pick(people);
    const text = pick([name, email, company, phone, id, ...own].filter((one) => one !== null));
    if (below(4) === 0) return text;
    const characters = Array.from(text);
    const from = below(2) === 0 ? 0 : below(characters.length);
    return characters.slice(from, from + 1 + below(5)).join('');
  });
  const query = typed.join(pick([' ', ', ', '-', ' & ']));
  return below(3) === 0 ? query.toUpperCase() : query;
}
