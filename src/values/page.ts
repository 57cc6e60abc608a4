import type { JsonSchema } from '../values/object-schema.ts';
import { nextCursorSchema } from './cursor.ts';
import { object } from './object-schema.ts';

export const perPageMax = 100;

const pageNumber = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER, format: 'int64' } as const;
const pageSize = { type: 'integer', minimum: 1, maximum: perPageMax, format: 'int32' } as const;

export const pagesSchema = object(
  {
    current_page: { ...pageNumber, description: 'The page that was asked for, also past the end.' },
    last_page: { ...pageNumber, description: 'At least 1.' },
    per_page: { ...pageSize, description: 'How many are on a page.' },
  },
  { title: 'Pages', description: 'Where the page lies among all pages.' },
);

export function listSchema(name: string, items: JsonSchema) {
  const properties = {
    pages: pagesSchema,
    next_cursor: nextCursorSchema,
    [name]: { type: 'array', items, maxItems: perPageMax },
  };
  return { ...object(properties), required: [name] };
}

export function pageProperties(perPage: number, noun: string) {
  return {
    page: {
      type: 'integer',
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 1,
      format: 'int64',
      description: 'Page, from 1. Past the end the list is empty.',
      examples: [1],
    },
    per_page: limitSchema(perPage, perPageMax, `${noun} on a page.`),
  } as const;
}

export function limitSchema(otherwise: number, maximum: number, description: string) {
  const numbers = { minimum: 1, maximum, default: otherwise, format: 'int32' } as const;
  return { type: 'integer', ...numbers, description, examples: [otherwise] } as const;
}

export function rangeOf(page: number, perPage: number): { limit: number; offset: number } {
  return { limit: perPage, offset: Math.min((page - 1) * perPage, Number.MAX_SAFE_INTEGER - perPage) };
}

/** An empty list has one page; a page past the end keeps its number. */
export function paginate(page: number, perPage: number, total: number) {
  return { current_page: page, last_page: Math.max(1, Math.ceil(total / perPage)), per_page: perPage };
}
