import type { Columns, OpenFields, Sources } from './columns.ts';
import { isAboutSomebody } from './headings.ts';

/** Adds the open fields of these columns to the sources. `kept` holds the names that other columns use. */
export function openFields(
  places: readonly number[],
  headings: readonly string[],
  sources: Map<string, Sources>,
  open: OpenFields | undefined,
  kept?: Set<string>,
): Pick<Columns, 'leftOut' | 'further'> {
  if (!open) return { leftOut: [...places], further: () => undefined };
  const { prefix, max } = open;
  const addTo = (name: string | undefined, place: number): boolean => {
    if (name === undefined || sources.has(`${prefix}${name}`)) return false;
    sources.set(`${prefix}${name}`, [[place]]);
    return true;
  };
  const rest = places.filter((place) => {
    const heading = headings[place] ?? '';
    return !heading.toLowerCase().startsWith(prefix) || !addTo(open.nameOf(heading.slice(prefix.length).trim()), place);
  });
  if (!kept) return { leftOut: rest, further: () => undefined };
  const explicit = [...sources.keys()].filter((field) => field.startsWith(prefix)).length;
  const hasRoomFor = (name: string) => kept.has(name) || explicit + kept.size < max;
  const leftOut = rest.filter((place) => {
    const heading = headings[place] ?? '';
    const name = isAboutSomebody(heading) ? undefined : open.nameOf(heading);
    if (name === undefined || !hasRoomFor(name)) return true;
    const isAdded = addTo(name, place);
    if (isAdded) kept.add(name);
    return !isAdded;
  });
  const ofColumns = new Set(sources.keys());
  const further = (field: string, number: number) => {
    if (number > max + 1) return undefined;
    let free = 1;
    // A column of the file may already have the name.
    for (let left = number - 1; left > 0;) if (!ofColumns.has(`${prefix}${field}_${++free}`)) left--;
    const name = `${field}_${free}`;
    if (!hasRoomFor(name)) return undefined;
    kept.add(name);
    return `${prefix}${name}`;
  };
  return { leftOut, further };
}
