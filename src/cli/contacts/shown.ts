import type { Option } from 'commander';

import { includes, type View } from '../../contacts/view.ts';
import { listing } from '../output.ts';
import { table } from '../table.ts';
import { includedOf, optionFor } from '../taking.ts';

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

/** Columns that tell contacts apart: also their chatbots where there may be several, and the time of deletion in the bin. */
export function contactsTable(views: readonly View[], isBin: boolean): string {
  const rows = views.map(({ chatbot_id, id, name, email, deleted_at }) => ({
    chatbot_id,
    id,
    name,
    email,
    deleted: String(deleted_at).slice(0, 10),
  }));
  const chatbot = views[0]?.['chatbot_id'] === undefined ? [] : (['chatbot_id'] as const);
  const columns = [...chatbot, 'id', ...(isBin ? (['deleted'] as const) : []), 'name', 'email'] as const;
  return table(rows, columns, ['name', 'email']);
}

export function includeOption(otherwise: string): Option {
  const says = `what to show beside the fields of every answer: ${includes.join(', ')}, or all; separated by commas (default: ${otherwise})`;
  return optionFor('--include <names>', says, { items: { enum: includes } }, true);
}

export const allInText = includeOption('all; none with --json');

export const included = includedOf(includes);
