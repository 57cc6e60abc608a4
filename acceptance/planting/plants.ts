import type { seededRandom } from '../../test/support/random.ts';
import { tokenOf } from '../parts/tokens.ts';

type Random = ReturnType<typeof seededRandom>;

/** What all plants of a run hold, at their beginning and at their end, and nothing else on the machine does. */
export interface Marks {
  letters: string;
  digits: string;
}

/** A made-up secret or personal thing. */
export interface Plant {
  kind: 'name' | 'email' | 'phone' | 'key';
  text: string;
}

export function marksOf(random: Random): Marks {
  const draw = (from: string, length: number) =>
    Array.from({ length }, () => from.charAt(random.below(from.length))).join('');
  return { letters: draw('bcdfghjklmnpqrstvwxz', 8), digits: `7${draw('123456789', 8)}` };
}

const uniqueLetters = 14;

export const kindsOfPlant = 4;

/** So many of all kinds in turn, each unlike any other. */
export function plantsOf({ letters, digits }: Marks, count: number): Plant[] {
  return Array.from({ length: count }, (_, index): Plant => {
    const unique = `${index}`.padStart(uniqueLetters, 'x');
    const core = `${letters}${unique}${letters}`;
    if (index % kindsOfPlant === 0) return { kind: 'name', text: `Zoë ${core} Ångström` };
    if (index % kindsOfPlant === 1) return { kind: 'email', text: `${core}@example.com` };
    if (index % kindsOfPlant === 2) return { kind: 'phone', text: `+${digits}${index}${digits}` };
    return { kind: 'key', text: tokenOf(core) };
  });
}

/** A part of a text that gives a plant away, and in which form of the text it is looked for. */
interface Needle {
  name: string;
  text: string;
  form: 'lower' | 'base64';
}

/** Texts as they are and in every encoding in which a log, a URL or a dump may have them. */
export function needlesOf(texts: readonly string[]): Needle[] {
  return texts.flatMap((mark): Needle[] => {
    const hex = Array.from(Buffer.from(mark), (byte) => byte.toString(16).padStart(2, '0'));
    const within = [...new Set([mark, mark.toUpperCase()])].flatMap((text) =>
      [0, 1, 2].map((before): Needle => ({
        name: 'base64',
        text: base64Within(text, before),
        form: 'base64',
      })),
    );
    return within.concat([
      { name: 'plain', text: mark.toLowerCase(), form: 'lower' },
      { name: 'hex', text: hex.join(''), form: 'lower' },
      { name: 'percent', text: hex.map((byte) => `%${byte}`).join(''), form: 'lower' },
      { name: 'escaped', text: hex.map((byte) => `\\u00${byte}`).join(''), form: 'lower' },
    ]);
  });
}

/** The characters of base64 that are the same whatever stands around the text, with so many bytes before it. */
export function base64Within(text: string, before: number): string {
  const whole = Buffer.from('\0'.repeat(before) + text)
    .toString('base64')
    .replace(/=+$/, '');
  const bits = 8 * (before + text.length);
  return whole.slice(Math.ceil((8 * before) / 6), Math.floor(bits / 6));
}

/** What of the plants is in the text, with a little of what is around it. */
export function findIn(text: string, needles: readonly Needle[]): string[] {
  const forms = { lower: text.toLowerCase(), base64: text.replaceAll('-', '+').replaceAll('_', '/') };
  return needles.flatMap(({ name, text: needle, form }) => {
    const at = forms[form].indexOf(needle);
    return at === -1 ? [] : [`${name}: …${JSON.stringify(text.slice(Math.max(0, at - 80), at + 80))}…`];
  });
}

/** A text that every needle has to be found in: what a search is worth that finds nothing. */
export function everyEncoding(texts: readonly string[]): string {
  return texts
    .flatMap((text) => [text, text.toUpperCase()])
    .flatMap((text) => {
      const hex = Array.from(Buffer.from(`a ${text} z`), (byte) => byte.toString(16));
      const base64 = [0, 1, 2].map((more) => Buffer.from(`${'-'.repeat(more)}${text}?`).toString('base64url'));
      return base64.concat([
        text,
        hex.join('').toUpperCase(),
        hex.map((byte) => `%${byte}`).join(''),
        hex.map((byte) => `\\u00${byte}`).join(''),
      ]);
    })
    .join('\n');
}
