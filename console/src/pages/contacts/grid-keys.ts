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
  const { list, box, rowHeight } = context;
  const isHeading =
    event.target instanceof HTMLInputElement ||
    event.target instanceof HTMLAnchorElement ||
    event.target instanceof HTMLButtonElement;
  if (isHeading || event.altKey) return;
  const inView = Math.max(1, Math.floor((box.current?.clientHeight ?? 0) / rowHeight) - 2);
  const places: Partial<Record<string, number>> = {
    ArrowDown: list.active + 1,
    ArrowUp: list.active - 1,
    PageDown: list.active + inView,
    PageUp: list.active - inView,
    Home: 0,
    End: list.rows.length - 1,
  };
  const place = places[event.key];
  if (place !== undefined) focusRow(context, place);
  else if (!chose(event, context)) return;
  event.preventDefault();
}

/** Whether the key was one of those that choose or open. */
function chose(event: KeyboardEvent, { list, mayPick, open }: Context): boolean {
  const hasCommand = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  const person = list.rows[list.active];
  if (key === 'enter' && !hasCommand) {
    if (person) open(person);
    return true;
  }
  if (key === 'escape' && list.hasSelection) {
    list.select();
    return true;
  }
  if (!mayPick) return false;
  if (key === 'a' && hasCommand) list.toggleAll();
  else if ((key === 'x' || key === ' ') && !hasCommand) list.toggle(list.active, event.shiftKey);
  else return false;
  return true;
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
