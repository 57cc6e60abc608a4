import type { ComponentChildren } from 'preact';

import { dayOf, exactly } from '../../ui/time.tsx';
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

/** What may stand beside the name, in this order. */
export const allColumns: readonly Column[] = [
  {
    id: 'chatbot',
    heading: 'Chatbot',
    width: [6, 0.8],
    isDefault: true,
    cell: (person, names) => names.get(person.chatbot_id),
  },
  { id: 'email', heading: 'E-mail', width: [8.5, 1.4], isDefault: true, cell: ({ email }) => email },
  { id: 'phone', heading: 'Phone', width: [7.25, 1], isDefault: true, cell: ({ phone }) => phone },
  { id: 'company', heading: 'Company', width: [6.5, 1.1], isDefault: true, cell: ({ company }) => company },
  { id: 'job_title', heading: 'Job title', width: [7, 1], cell: (person) => person.job_title },
  { id: 'city', heading: 'City', width: [6, 0.8], include: 'details', cell: ({ city }) => city },
  { id: 'country', heading: 'Country', width: [6, 0.8], include: 'details', cell: ({ country }) => country },
  { id: 'tags', heading: 'Tags', width: [6.5, 1], isDefault: true, cell: ({ tags }) => tagsCell(tags) },
  {
    id: 'created',
    heading: 'Created',
    width: [6.25, 0],
    isDefault: true,
    sort: 'added',
    cell: (one) => dayCell(one.created_at),
  },
  {
    id: 'updated',
    heading: 'Updated',
    width: [6.25, 0],
    sort: 'updated',
    include: 'updated_at',
    cell: (person) => dayCell(person.updated_at),
  },
];

const deleted: Column = {
  id: 'deleted',
  heading: 'Deleted',
  width: [6.25, 0],
  cell: (person) => dayCell(person.deleted_at),
};

/** The columns of a view: of one chatbot, its name says nothing. */
export function columnsOf(chosen: readonly Column[], isBin: boolean, isOneChatbot: boolean): readonly Column[] {
  const shown = chosen.filter(({ id, sort }) => !(id === 'chatbot' && isOneChatbot) && !(isBin && sort));
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
export function chosenColumns(): readonly Column[] {
  const chosen = localStorage.getItem(key)?.split(' ');
  return allColumns.filter(({ id, isDefault }) => (chosen ? chosen.includes(id) : isDefault));
}

export function keepColumns(columns: readonly Column[]): void {
  localStorage.setItem(key, columns.map(({ id }) => id).join(' '));
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

function dayCell(time: string | null | undefined) {
  if (time == null) return null;
  const date = new Date(time);
  return (
    <time dateTime={time} title={exactly(date)}>
      {dayOf(date)}
    </time>
  );
}
