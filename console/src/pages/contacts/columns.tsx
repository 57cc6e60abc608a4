import type { ComponentChildren } from 'preact';

import type { Person } from './person.ts';

export interface Column {
  id: string;
  heading: string;
  /** Its least width in rem, and its share of the room that is left. */
  width: readonly [rem: number, share: number];
  /** Empty where nothing is known. */
  cell: (person: Person) => ComponentChildren;
}

/** What may stand beside the name, in this order. */
const all = [
  { id: 'email', heading: 'E-mail', width: [10, 1.4], cell: ({ email }) => email },
  { id: 'phone', heading: 'Phone', width: [8, 1], cell: ({ phone }) => phone },
  { id: 'company', heading: 'Company', width: [7, 1.1], cell: ({ company }) => company },
  { id: 'tags', heading: 'Tags', width: [7, 1], cell: ({ tags }) => tagsCell(tags) },
  { id: 'created', heading: 'Created', width: [6, 0], cell: (person) => dayCell(person.created_at) },
] as const satisfies readonly Column[];

const deleted: Column = {
  id: 'deleted',
  heading: 'Deleted',
  width: [6, 0],
  cell: (person) => dayCell(person.deleted_at ?? null),
};

export function columnsOf(isBin: boolean): readonly Column[] {
  return isBin ? [...all.filter(({ id }) => id !== 'created'), deleted] : all;
}

const nameWidth = [12, 1.5] as const;

/** The columns of the grid, and the least width of a row, for CSS. */
export function tracksOf(columns: readonly Column[]): { columns: string; width: string } {
  const widths = [nameWidth, ...columns.map(({ width }) => width)];
  const tracks = widths.map(([rem, share]) => (share === 0 ? `${rem}rem` : `minmax(${rem}rem, ${share}fr)`));
  const gaps = widths.length + 4;
  return { columns: tracks.join(' '), width: `${widths.reduce((sum, [rem]) => sum + rem, gaps)}rem` };
}

/** The first tag whole, and how many others there are. */
function tagsCell(tags: readonly string[]) {
  const [first, ...others] = tags;
  if (first === undefined) return null;
  return (
    <>
      <bdi class="tag">{first}</bdi>
      {others.length > 0 && (
        <span class="tags-more" title={tags.join(', ')}>
          +{others.length}
          <span class="visually-hidden">: {others.join(', ')}</span>
        </span>
      )}
    </>
  );
}

const thisYear = new Date().getFullYear();
const dayOfYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
const whole = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

function dayCell(time: string | null) {
  if (time === null) return null;
  const date = new Date(time);
  return (
    <time dateTime={time} title={whole.format(date)}>
      {(date.getFullYear() === thisYear ? dayOfYear : day).format(date)}
    </time>
  );
}
