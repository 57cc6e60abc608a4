/** The promise of conditions, written as plainly as it is made: no index, no shared code. */

export type Value = string | number | boolean;

export interface Condition {
  readonly field: string;
  readonly is?: Value;
  readonly any_of?: Value[];
  readonly known?: boolean;
}

/** Whether a contact, with its fields by name, has what the condition asks for. */
export function meets(person: object, { field, is, any_of: anyOf, known }: Condition): boolean {
  const values = valuesAt({ ...person }, field).map(folded);
  if (known !== undefined) return values.length > 0 === known;
  return (is === undefined ? (anyOf ?? []) : [is]).some((one) => values.includes(folded(one)));
}

function folded(value: Value): Value {
  if (typeof value !== 'string') return value;
  const plain = value.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return plain.split(/\s+/).filter(Boolean).join(' ');
}

function valuesAt(fields: Readonly<Record<string, unknown>>, field: string): Value[] {
  if (field === 'tags') return fields['tags'] as Value[];
  if (field === 'email_domain') return typeof fields['email'] === 'string' ? [fields['email'].split('@')[1] ?? ''] : [];
  const value = field.startsWith('attributes.')
    ? (fields['attributes'] as Record<string, unknown>)[field.slice('attributes.'.length)]
    : fields[field];
  return value == null ? [] : [value as Value];
}
