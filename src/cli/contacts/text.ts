import { listing } from '../output.ts';
import { table } from '../table.ts';

type View = Record<string, unknown>;

/** A contact for a person: its attributes are named as `--set` takes them. */
export function contactText(view: View): string {
  const lines = Object.entries(view).flatMap(([name, value]) => {
    const attributes = name === 'attributes' ? Object.entries(value as object) : [];
    if (attributes.length === 0) return [[name, name === 'attributes' ? null : value]];
    return attributes.map(([attribute, one]) => [`attributes.${attribute}`, one]);
  });
  return listing(Object.fromEntries(lines) as View);
}

export function contactsText(views: readonly View[]): string {
  return views.map(contactText).join('\n\n');
}

/** Columns that tell contacts apart, and the time of deletion of those in the bin. */
export function contactsTable(views: readonly View[], isBin: boolean): string {
  const rows = views.map(({ id, name, email, deleted_at }) => ({
    id,
    name,
    email,
    deleted: String(deleted_at).slice(0, 10),
  }));
  const columns = ['id', ...(isBin ? (['deleted'] as const) : []), 'name', 'email'] as const;
  return table(rows, columns, ['name', 'email']);
}
