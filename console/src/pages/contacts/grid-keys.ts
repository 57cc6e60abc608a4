import type { RefObject } from 'preact';

import type { PeopleList } from './list.ts';
import type { Person } from './person.ts';

interface Context {
  list: PeopleList;
  mayPick: boolean;
  rowHeight: number;
  box: RefObject<HTMLElement | null>;
  open: (person: Person) => void;
}

/** The keys of the list, while a row of it has the keyboard. */
export function keyed(event: KeyboardEvent, context: Context): void {
  const { list, mayPick, box, rowHeight, open } = context;
  const isOwn = (event.target as Element).closest('input, a, button') !== null;
  if (isOwn || event.altKey) return;
  const { active, rows } = list;
  const person = rows[active];
  const inView = Math.max(1, Math.floor((box.current?.clientHeight ?? 0) / rowHeight) - 2);
  const moveTo = (place: number) => () => focusRow(context, place);
  const pick = mayPick && (() => list.toggle(active, event.shiftKey));
  const places = {
    ArrowDown: moveTo(active + 1),
    ArrowUp: moveTo(active - 1),
    PageDown: moveTo(active + inView),
    PageUp: moveTo(active - inView),
    Home: moveTo(0),
    End: moveTo(rows.length - 1),
  };
  const deeds =
    event.ctrlKey || event.metaKey
      ? { a: mayPick && (() => list.toggleAll()) }
      : {
          Enter: person && (() => open(person)),
          Escape: list.hasSelection && (() => list.select()),
          x: pick,
          ' ': pick,
        };
  const all: Partial<Record<string, false | (() => void)>> = { ...places, ...deeds };
  const deed = all[event.key] || all[event.key.toLowerCase()];
  if (!deed) return;
  event.preventDefault();
  deed();
}

/** A screen reader may focus any row: keys are for that one then. */
export function focused({ target }: FocusEvent, { list }: Pick<Context, 'list'>): void {
  const place = Number((target as Element).closest<HTMLElement>('[data-index]')?.dataset['index'] ?? list.active);
  if (place !== list.active) list.moveTo(place);
}

/** Moves the keyboard to a row, and the row into view. */
export function focusRow({ list, box, rowHeight }: Pick<Context, 'list' | 'box' | 'rowHeight'>, place: number): void {
  list.moveTo(place);
  const { current: element } = box;
  if (!element || list.rows.length === 0) return;
  const top = list.active * rowHeight;
  const headHeight = element.querySelector<HTMLElement>('.people-head')?.offsetHeight ?? 0;
  const room = element.clientHeight - headHeight - rowHeight;
  if (top < element.scrollTop) element.scrollTop = top;
  else if (top > element.scrollTop + room) element.scrollTop = top - room;
  focusActive();
}

/** Gives the keyboard to the row that had it last, which may come with the next rendering. */
export function focusActive(): void {
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>('.people-rows > [tabindex="0"]')?.focus({ preventScroll: true }),
  );
}

/** A click anywhere on a row opens it, but for the box that chooses it. */
export function pressed(event: MouseEvent, { list, open, mayPick }: Context): void {
  const target = event.target as Element;
  const row = target.closest<HTMLElement>('[data-index]');
  const index = Number(row?.dataset['index']);
  const person = row && list.rows[index];
  if (!person) return;
  if (target.closest('.people-pick')) {
    // A label gives its click to its box as well.
    if (!(target instanceof HTMLInputElement)) event.preventDefault();
    if (mayPick) list.toggle(index, event.shiftKey);
    return;
  }
  list.moveTo(index);
  const isOwn = target.closest('a') !== null || event.ctrlKey || event.metaKey || event.shiftKey;
  if (!isOwn && String(getSelection()) === '') open(person);
}
