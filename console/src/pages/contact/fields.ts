import type { WholePerson } from '../contacts/person.ts';

export type TextField = Exclude<
  keyof WholePerson,
  'id' | 'created_at' | 'deleted_at' | 'updated_at' | 'tags' | 'attributes'
>;

export interface FieldInfo {
  name: TextField;
  label: string;
  lengthMax: number;
  type?: 'email' | 'tel' | 'url';
  hint?: string;
}

interface Group {
  title: string;
  fields: readonly FieldInfo[];
}

const field = (name: TextField, label: string, lengthMax = 255, more: Partial<FieldInfo> = {}): FieldInfo => ({
  name,
  label,
  lengthMax,
  ...more,
});

/** Every text of a contact, as the page shows them. */
export const groups: readonly Group[] = [
  {
    title: 'Person',
    fields: [
      field('name', 'Name', 255, { hint: 'A new name clears first and last name.' }),
      field('first_name', 'First name', 255, { hint: 'The name is made of first and last name.' }),
      field('last_name', 'Last name', 255, { hint: 'The name is made of first and last name.' }),
      field('job_title', 'Job title'),
      field('company', 'Company'),
      field('industry', 'Industry'),
    ],
  },
  {
    title: 'Reach',
    fields: [
      field('email', 'E-mail', 254, { type: 'email' }),
      field('phone', 'Phone', 64, { type: 'tel' }),
      field('website', 'Website', 2048, { type: 'url' }),
    ],
  },
  {
    title: 'Address',
    fields: [
      field('address', 'Street and number', 1_000),
      field('city', 'City'),
      field('state', 'State or region'),
      field('postal_code', 'Postal code', 64),
      field('country', 'Country'),
    ],
  },
  { title: 'Elsewhere', fields: [field('external_id', 'External id', 255, { hint: 'Its id in another system.' })] },
];

export const fieldNames: readonly TextField[] = groups.flatMap(({ fields }) => fields.map(({ name }) => name));

const labels = new Map<string, string>([
  ...groups.flatMap(({ fields }) => fields.map(({ name, label }): [string, string] => [name, label])),
  ['tags', 'Tags'],
  ['attributes', 'Attributes'],
]);

/** The label of a field on the page. */
export function labelOf(name: string): string {
  return labels.get(name) ?? name;
}

export interface Difference {
  name: string;
  was: string;
  now: string;
}

/** In which fields two states of a contact differ. */
export function differencesOf(before: WholePerson, after: WholePerson): Difference[] {
  const names = [...fieldNames, 'tags', 'attributes'] as const;
  return names.flatMap((name) => {
    const [was, now] = [shown(before[name]), shown(after[name])];
    return was === now ? [] : [{ name, was, now }];
  });
}

type Shown = string | readonly string[] | WholePerson['attributes'] | null;

function shown(value: Shown): string {
  if (value === null || typeof value === 'string') return value ?? '';
  if (Array.isArray(value)) return value.join(', ');
  return Object.entries(value)
    .map(([name, one]) => `${name}: ${String(one)}`)
    .join(', ');
}
