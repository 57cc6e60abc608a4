import { contactImportFields } from '../../../../src/contacts/columns.ts';
import type { Format } from '../../../../src/files/formats.ts';
import type { ConflictPolicy } from '../../../../src/imports.ts';
import { shellWord } from '../../../../src/values/shell-word.ts';

/** The encoding of the file. */
export const encodings = {
  '': 'Detected',
  'utf-8': 'UTF-8',
  'windows-1252': 'Windows-1252 (Excel, western Europe)',
  'windows-1250': 'Windows-1250 (Excel, central Europe)',
  'iso-8859-15': 'ISO 8859-15',
  'utf-16le': 'UTF-16',
};
export type Encoding = keyof typeof encodings;

/** The member's choices for a file. */
export interface Choice {
  encoding: Encoding;
  /** Field, attribute or `leftOut` by heading. */
  fields: ReadonlyMap<string, string>;
  keepsColumns: boolean;
  lenient: boolean;
  policy: ConflictPolicy;
}

export const firstChoice: Choice = {
  encoding: '',
  fields: new Map(),
  keepsColumns: false,
  lenient: false,
  policy: 'update',
};

/** Stands among the fields for none. */
export const leftOut = '-';
export const fields = contactImportFields.filter((field) => !field.endsWith('.NAME'));

/** `external id` of `external_id`. */
export function nameOf(field: string): string {
  if (field.startsWith('attributes.')) return `attribute ${field.slice('attributes.'.length)}`;
  return field.replaceAll('_', ' ').replace('email', 'e-mail');
}

/** Headings by field, as --map has them: several columns for one field are joined. */
export function mappingOf({ fields: given }: Choice): Map<string, string> {
  const mapping = new Map<string, string>();
  const mapped = [...given].filter(([, field]) => field !== leftOut);
  for (const [field, pairs] of Map.groupBy(mapped, ([, one]) => one)) {
    const headings = pairs.map(([heading]) => heading);
    mapping.set(field, headings.length === 1 ? headings.join('') : `{${headings.join('} {')}}`);
  }
  return mapping;
}

export function leftOutOf({ fields: given }: Choice): string[] {
  return [...given].flatMap(([heading, field]) => (field === leftOut ? heading : []));
}

/** The command line that does the same. */
export function commandOf(choice: Choice, file: string, chatbotId: string, format: Format): string {
  const words = ['roster', 'contacts', 'import', file, '--chatbot', chatbotId];
  if (choice.encoding !== '') words.push('--encoding', choice.encoding);
  for (const [field, heading] of mappingOf(choice)) words.push('--map', `${field}=${heading}`);
  for (const heading of leftOutOf(choice)) words.push('--leave-out', heading);
  if (choice.policy !== 'update') words.push('--on-conflict', choice.policy);
  if (choice.lenient) words.push('--lenient');
  if (choice.keepsColumns) words.push('--keep-columns');
  return [...words, '--rejects', `rejected.${format}`].map(shellWord).join(' ');
}
