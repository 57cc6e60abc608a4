import type { StoredContact } from '../../src/contacts/contact.ts';
import { aContact } from './people.ts';

/** So many, each a second younger than the one before; every third has the tag `vip`. */
export function manyContacts(count: number): StoredContact[] {
  const first = Date.parse('2024-06-08T00:00:00Z');
  return Array.from({ length: count }, (_, index) =>
    aContact({
      id: `c${index}`,
      name: `Person ${String(index).padStart(5, '0')}`,
      email: `person${index}@example.com`,
      tags: index % 3 === 0 ? ['vip'] : [],
      created_at: `${new Date(first + index * 1_000).toISOString().slice(0, 19)}+00:00`,
    }),
  );
}
