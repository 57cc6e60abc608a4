import { createApiKey } from '../src/api-keys/api-key.ts';
import { type Database } from '../src/database/database.ts';
import { storeOn } from '../src/database/open-store.ts';
import { grow, prepare, projects } from './people.ts';

const keysPerProject = 2;
const membersPerProject = 40;

/** Fills an empty database with the people of people.ts, members and keys; returns the tokens, two a project. */
export async function fill(database: Database, contacts: number): Promise<string[]> {
  await prepare(database);
  const store = storeOn(database);
  const tokens: string[] = [];
  for (let project = 0; project < projects; project++) {
    await store.importMembers(String(project), [], () => madeUpMembers(membersPerProject));
    for (let key = 0; key < keysPerProject; key++) {
      tokens.push((await createApiKey(store, String(project), { name: `bench ${key}` })).token);
    }
  }
  await grow(database, 1, contacts);
  return tokens;
}

function madeUpMembers(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    email: `member${index}@example.com`,
    status: index % 5 === 4 ? ('Pending' as const) : ('Active' as const),
    roles: index === 0 ? (['Owner', 'Billing'] as const).slice() : (['Editor'] as const).slice(),
  }));
}
