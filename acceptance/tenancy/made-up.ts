import type { seededRandom } from '../../test/support/random.ts';
import { type Contact, type Member, roles } from './model.ts';

type Random = ReturnType<typeof seededRandom>;

let made = 0;

/** Somebody whose every text says whose it is, and who is like nobody else. */
export function aContact(random: Random, projectId: string, id: string): Contact {
  const mark = `${projectId} ${++made}`;
  const or = (text: string) => (random.below(4) === 0 ? null : text);
  return {
    id,
    name: `Zoë “${mark}” 静香`,
    email: or(`${mark.replace(' ', '.')}@example.com`),
    job_title: or(`Nurse ${mark}`),
    phone: or(`+1 555 ${mark}`),
    website: or(`https://example.com/${mark.replace(' ', '/')}`),
    company: or(`Ångström & ${mark}`),
    created_at: `2024-06-08T13:${10 + random.below(50)}:${10 + random.below(50)}+00:00`,
  };
}

export function aMember(random: Random, projectId: string, isOwner = false): Member {
  const others = roles.slice(1).filter(() => random.below(3) === 0);
  return {
    email: `${random.pick(['Ada', 'grace', 'BOB'])}.${++made}@${projectId}.example.com`,
    status: isOwner ? 'Active' : random.pick(['Active', 'Pending'] as const),
    roles: isOwner ? ['Owner', ...others] : others.length === 0 ? ['Agent'] : others,
  };
}

/** As an import reads them: a field that is null is left out, which says nothing of it. */
export function toNdjson(people: readonly object[]): string {
  return people
    .map((one) => JSON.stringify(Object.fromEntries(Object.entries(one).filter(([, text]) => text !== null))))
    .join('\n');
}
