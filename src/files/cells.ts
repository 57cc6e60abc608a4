import { decimalText } from '../values/text.ts';
import type { Columns, Parts, TakenField } from './columns.ts';

/** The fields that the columns give for a row: trimmed texts, and `values` such as lists. Empty ones are missing. */
export interface Picked<Field extends string> {
  texts: { [F in Field]?: string };
  values?: Record<string, unknown>;
  objections?: string[];
  warnings?: string[];
}

export function pick<Field extends string>(columns: Columns, cells: readonly unknown[]): Picked<Field> {
  const texts: Partial<Record<string, string>> = {};
  let values: Record<string, unknown> | undefined;
  const objections: string[] = [];
  const warnings: string[] = [];
  const keep = (field: string, value: unknown) => {
    if (value !== null && value !== '') (values ??= {})[field] = value;
  };
  for (const taken of columns.taken) {
    const { field, as, isDayFirst } = taken;
    const found = as === undefined ? textsOf(taken, cells, columns) : valueOf(taken, cells, columns);
    if (found instanceof Wrong) objections.push(`${field} ${found.message}`);
    else if (as === undefined) {
      const [first, ...further] = found as string[];
      if (first !== undefined) texts[field] = isDayFirst ? yearFirst(first) : first;
      if (further.length > 0) warnings.push(keepFurther(field, further, columns, keep));
    } else if (as !== 'object' || found === null) keep(field, found);
    else if (typeof found !== 'object' || Array.isArray(found)) objections.push(`${field} is not an object`);
    else for (const [name, one] of Object.entries(found)) keep(`${field}.${name}`, one);
  }
  const picked: Picked<Field> = { texts: texts as Picked<Field>['texts'] };
  if (values) picked.values = values;
  if (objections.length > 0) picked.objections = objections;
  if (warnings.length > 0) picked.warnings = warnings;
  return picked;
}

function keepFurther(
  field: string,
  further: readonly string[],
  columns: Columns,
  keep: (name: string, text: string) => void,
): string {
  let areKept = true;
  for (const [index, text] of further.entries()) {
    const name = columns.further(field, index + 2);
    if (name === undefined) areKept = false;
    else keep(name, text);
  }
  const word = field.replace('email', 'e-mail').replaceAll('_', ' ');
  return `more than one ${word}; the first was taken${areKept ? ', and the others became attributes' : ''}`;
}

/** The distinct texts of a field in the row: that of the first column with one, unless there may be several. */
function textsOf(
  { sources, several: separator }: TakenField,
  cells: readonly unknown[],
  { hasSeveral }: Columns,
): string[] | Wrong {
  const found: string[] = [];
  for (const parts of sources) {
    const [place] = parts;
    const isOne = parts.length === 1 && typeof place === 'number' && (separator !== undefined || hasSeveral);
    const texts = isOne ? cellTexts(cells[place], separator ?? several) : [joinedText(parts, cells, hasSeveral)];
    for (const text of texts) {
      if (typeof text === 'string' && text !== '') found.push(text);
      else if (typeof text !== 'string' && found.length === 0) return text;
    }
    if (found.length > 0 && separator === undefined) break;
  }
  return found.length < 2 ? found : eachOnce(found);
}

function eachOnce(texts: readonly string[]): string[] {
  const alike = Map.groupBy(texts, (text) => text.toLowerCase().replaceAll(/\s/g, ''));
  return [...alike.values()].flatMap(([first]) => first ?? []);
}

/** Turns `24.11.2026, 13:30` or `24/11/2026 13:30` into `2026-11-24 13:30`. */
function yearFirst(text: string): string {
  return text.replace(
    /^(\d{1,2})[./-](\d{1,2})[./-](\d{4}),?/,
    (_, day: string, month: string, year: string) => `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`,
  );
}

function cellTexts(cell: unknown, separator: RegExp): (string | Wrong)[] {
  if (Array.isArray(cell))
    return cell.map((one) => (typeof one === 'string' ? one.trim() : new Wrong('is not a text')));
  const text = cellText(cell, false);
  return typeof text === 'string' && separator.test(text) ? text.split(separator).map((one) => one.trim()) : [text];
}

class Wrong extends Error {}

function valueOf({ sources, as }: TakenField, cells: readonly unknown[], { hasSeveral }: Columns): unknown {
  const [parts = []] = sources;
  const [first] = parts;
  if (parts.length > 1 || typeof first !== 'number') return joinedText(parts, cells, false);
  const cell = cells[first];
  if (typeof cell === 'number') return numberIn(cell);
  if (typeof cell === 'string') return as === 'list' && hasSeveral ? listOf(cell) : cell.trim();
  return cell ?? null;
}

function joinedText(parts: Parts, cells: readonly unknown[], hasSeveral: boolean): string | Wrong {
  const [first] = parts;
  if (parts.length === 1 && typeof first === 'number') return cellText(cells[first], hasSeveral);
  const isTemplate = typeof first === 'string';
  let text = '';
  let isEmpty = true;
  for (const part of parts) {
    const one = typeof part === 'string' ? part : cellText(cells[part], hasSeveral);
    if (typeof one !== 'string') return one;
    if (typeof part === 'number' && one !== '') isEmpty = false;
    text += isTemplate || text === '' || one === '' ? one : ` ${one}`;
  }
  if (isEmpty) return '';
  return isTemplate ? text.replaceAll(/\s+/g, ' ').trim() : text;
}

function cellText(cell: unknown, hasSeveral: boolean): string | Wrong {
  if (typeof cell === 'string') return hasSeveral ? firstValue(cell) : cell.trim();
  if (cell === null || cell === undefined) return '';
  if (typeof cell === 'boolean') return String(cell);
  if (typeof cell === 'number') return decimalText(cell) ?? inexact;
  if (Array.isArray(cell) && cell.every((item) => typeof item === 'string')) {
    const items = cell.map((item) => item.trim());
    return items.filter((item) => item !== '').join(',');
  }
  return new Wrong('is not a text');
}

const inexact = new Wrong('is a number too long to be exact; put it in quotes');

function numberIn(cell: number): number | Wrong {
  return Number.isSafeInteger(cell) || !Number.isInteger(cell) ? cell : inexact;
}

/** Google joins the values of a cell by this. */
const several = / ::: /;

/** Google's own groups, such as `* myContacts`, are not labels. */
function listOf(cell: string): string {
  const values = cell.split(several).map((value) => value.trim());
  return values.filter((value) => !value.startsWith('* ')).join(',');
}

function firstValue(text: string): string {
  return (text.split(several, 1)[0] ?? '').trim();
}
