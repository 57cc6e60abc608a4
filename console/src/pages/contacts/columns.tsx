import type { ComponentChildren } from 'preact';

import { sentence } from '../../ui/field.tsx';
import { dayOf, exactly } from '../../ui/time.tsx';
import { labelOf } from '../contact/fields.ts';
import type { Include } from './list.ts';
import type { Person } from './person.ts';

export interface Column {
  id: string;
  heading: string;
  /** Its least width in rem, and its share of the room that is left. */
  width: readonly [rem: number, share: number];
  /** Missing where it stands only if somebody chooses it. */
  isDefault?: boolean;
  /** By what its heading sorts. */
  sort?: 'added' | 'updated';
  /** What has to be asked for. */
  include?: Include[number];
  /** Empty where nothing is known. */
  cell: (person: Person, chatbots: ChatbotNames) => ComponentChildren;
}

export type ChatbotNames = ReadonlyMap<string, string>;

type TextName = 'email' | 'phone' | 'company' | 'job_title' | 'city' | 'country';

function text(id: TextName, width: Column['width'], more: Partial<Column> = {}): Column {
  return { id, heading: labelOf(id), width, cell: (person) => person[id], ...more };
}

function day(name: 'created' | 'updated' | 'deleted', more: Partial<Column> = {}): Column {
  return {
    id: name,
    heading: sentence(name),
    width: [6.25, 0],
    cell: (person) => dayCell(person[`${name}_at`]),
    ...more,
  };
}

const isDefault = true;

/** The columns beside the name, in this order. */
export const allColumns: readonly Column[] = [
  { id: 'chatbot', heading: 'Chatbot', width: [6, 0.8], isDefault, cell: (one, names) => names.get(one.chatbot_id) },
  text('email', [8.5, 1.4], { isDefault }),
  text('phone', [7.25, 1], { isDefault }),
  text('company', [6.5, 1.1], { isDefault }),
  text('job_title', [7, 1]),
  text('city', [6, 0.8], { include: 'details' }),
  text('country', [6, 0.8], { include: 'details' }),
  { id: 'tags', heading: 'Tags', width: [6.5, 1], isDefault, cell: ({ tags }) => tagsCell(tags) },
  day('created', { isDefault, sort: 'added' }),
  day('updated', { sort: 'updated', include: 'updated_at' }),
];

const deleted = day('deleted');

/** The columns of a view: of one chatbot, its name says nothing. */
export function columnsOf(chosen: readonly string[], isBin: boolean, isOneChatbot: boolean): readonly Column[] {
  const isIdle = ({ id, sort }: Column) => (id === 'chatbot' && isOneChatbot) || (isBin && sort !== undefined);
  const shown = allColumns.filter((one) => chosen.includes(one.id) && !isIdle(one));
  return isBin ? [...shown, deleted] : shown;
}

const nameWidth = [10.5, 2.4] as const;

/** The columns of the grid, and the least width of a row, for CSS. */
export function tracksOf(columns: readonly Column[]): { columns: string; width: string } {
  const widths = [nameWidth, ...columns.map(({ width }) => width)];
  const tracks = widths.map(([rem, share]) => (share === 0 ? `${rem}rem` : `minmax(${rem}rem, ${share}fr)`));
  const gaps = 0.75 * widths.length + 4;
  return { columns: tracks.join(' '), width: `${widths.reduce((sum, [rem]) => sum + rem, gaps)}rem` };
}

const key = 'roster.columns';

/** The columns that were chosen on this device, else the usual ones. */
export function chosenColumns(): readonly string[] {
  const usual = allColumns.filter((one) => one.isDefault).map(({ id }) => id);
  return localStorage.getItem(key)?.split(' ') ?? usual;
}

/** The `include` for these columns. */
export function includeOf(ids: readonly string[]): Include {
  const chosen = allColumns.filter(({ id }) => ids.includes(id));
  return ['tags', ...new Set(chosen.flatMap(({ include }) => include ?? []))];
}

export function keepColumns(ids: readonly string[]): void {
  localStorage.setItem(key, ids.join(' '));
}

/** The first tag whole, and how many others there are. */
function tagsCell(tags: readonly string[]) {
  const [first, ...others] = tags;
  if (first === undefined) return null;
  return (
    <>
      <bdi class="badge cut">{first}</bdi>
      {others.length > 0 && (
        <span class="small" title={tags.join(', ')}>
          +{others.length}
          <span class="visually-hidden">: {others.join(', ')}</span>
        </span>
      )}
    </>
  );
}

function dayCell(time: string | null | undefined) {
  if (time == null) return null;
  const date = new Date(time);
  return (
    <time dateTime={time} title={exactly(date)}>
      {dayOf(date)}
    </time>
  );
}
