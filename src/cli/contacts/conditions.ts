import { type Condition, conditionFields, fieldsOnlyKnown } from '../../contacts/where.ts';
import { UsageError } from '../failures.ts';
import { repeated } from '../parts.ts';

export const whereOption = repeated(
  '--where <condition>',
  'FIELD=VALUE, or FIELD=VALUE,VALUE for one of them; FIELD for any value, !FIELD for none; may be repeated',
);

export const conditionLists = { 'Fields of --where': conditionFields, 'Without a value also': fieldsOnlyKnown };

export function conditionsOf(texts: readonly string[] = []): Condition[] {
  return texts.map((text) => {
    const sign = text.indexOf('=');
    if (sign < 0) return { field: text.replace(/^!/, ''), known: !text.startsWith('!') };
    const field = text.slice(0, sign);
    const values = text
      .slice(sign + 1)
      .split(',')
      .map((value) => value.trim());
    if (field === '' || values.includes('')) throw new UsageError('--where takes FIELD=VALUE, FIELD or !FIELD.');
    return { field, any_of: field.startsWith('attributes.') ? values.flatMap(asTyped) : values };
  });
}

/** A command line has only texts: `5` also means the number, `true` also the truth value. */
function asTyped(text: string): (string | number | boolean)[] {
  if (text === 'true' || text === 'false') return [text, text === 'true'];
  return text !== '' && Number.isFinite(Number(text)) ? [text, Number(text)] : [text];
}
