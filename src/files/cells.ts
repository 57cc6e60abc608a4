import { decimalText } from '../values/text.ts';
import type { Columns, Parts } from './columns.ts';

/** What the columns give of a row; `values` are those that are no texts, such as lists. Empty ones are missing. */
export interface Picked<Field extends string> {
  texts: { [F in Field]?: string };
  values?: Record<string, unknown>;
  /** Why a cell is not what its field needs. */
  objections?: string[];
}

/** Returns the trimmed text of each field that has one, and the other values. */
export function pick<Field extends string>(columns: Columns, cells: readonly unknown[]): Picked<Field> {
  const texts: Partial<Record<string, string>> = {};
  const objections: string[] = [];
  for (const [field, sources] of columns.texts) {
    for (const parts of sources) {
      const text = joinedText(parts, cells, columns.hasSeveral);
      if (typeof text === 'string') {
        if (text === '') continue;
        texts[field] = text;
      } else {
        objections.push(`${field} ${text.error}`);
      }
      break;
    }
  }
  const picked: Picked<Field> = { texts: texts as Picked<Field>['texts'] };
  const values = columns.values.length === 0 ? undefined : pickValues(columns, cells, objections);
  if (values) picked.values = values;
  if (objections.length > 0) picked.objections = objections;
  return picked;
}

function pickValues(
  { values: columns, hasSeveral }: Columns,
  cells: readonly unknown[],
  objections: string[],
): Record<string, unknown> | undefined {
  const values: Record<string, unknown> = {};
  let isEmpty = true;
  const add = (field: string, value: unknown) => {
    if (value === null || value === '') return;
    values[field] = value;
    isEmpty = false;
  };
  for (const { field, parts, as } of columns) {
    const value = valueOf(parts, cells, as === 'list' && hasSeveral);
    if (value instanceof Wrong) objections.push(`${field} ${value.error}`);
    else if (as !== 'object' || value === null) add(field, value);
    else if (typeof value !== 'object' || Array.isArray(value)) objections.push(`${field} is not an object`);
    else for (const [name, one] of Object.entries(value)) add(`${field}.${name}`, one);
  }
  return isEmpty ? undefined : values;
}

/** Why a cell is not what its field needs. */
class Wrong {
  readonly error: string;

  constructor(error: string) {
    this.error = error;
  }
}

/** The value of a cell as it is, a text trimmed; null where it has none. */
function valueOf(parts: Parts, cells: readonly unknown[], hasSeveral: boolean): unknown {
  const [first] = parts;
  if (parts.length > 1 || typeof first !== 'number') return joinedText(parts, cells, false);
  const cell = cells[first];
  if (typeof cell === 'number') return numberIn(cell);
  if (typeof cell === 'string') return hasSeveral ? listOf(cell) : cell.trim();
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
    return cell
      .map((item) => item.trim())
      .filter((item) => item !== '')
      .join(',');
  }
  return new Wrong('is not a text');
}

const inexact = new Wrong('is a number too long to be exact; put it in quotes');

function numberIn(cell: number): number | Wrong {
  // JSON.parse rounds longer integers.
  return Number.isSafeInteger(cell) || !Number.isInteger(cell) ? cell : inexact;
}

/** Google joins the values of a cell by this. */
const several = ' ::: ';

/** Groups of Google itself, such as `* myContacts`, are no labels. */
function listOf(cell: string): string {
  const values = cell.split(several).map((value) => value.trim());
  return values.filter((value) => !value.startsWith('* ')).join(',');
}

function firstValue(text: string): string {
  const end = text.indexOf(several);
  return (end < 0 ? text : text.slice(0, end)).trim();
}
