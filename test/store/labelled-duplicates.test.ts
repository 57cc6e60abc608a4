import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { findDuplicates } from '../../src/contacts/duplicates/find.ts';
import { suggestInProject } from '../../src/contacts/duplicates/suggest.ts';
import { run } from '../../src/operation.ts';
import { engines } from '../support/engines.ts';
import { type Labelled, labelledPeople } from '../support/labelled-people.ts';
import { aProject } from '../support/people.ts';

interface Group {
  band: 'certain' | 'likely';
  contacts: { id: string }[];
}

async function suggested({ open }: (typeof engines)[number], { contacts }: Labelled): Promise<Group[]> {
  await using opened = await open();
  const { store } = opened;
  const { projectId, chatbotId } = await aProject(store, { contacts });
  for await (const _ of suggestInProject(store, 'find-duplicates', projectId));
  const groups: Group[] = [];
  for (let cursor: string | null = '*'; cursor !== null;) {
    const input = { chatbotId, limit: 100, cursor };
    const page = (await run(findDuplicates, store, operator(projectId), input)).output as unknown as {
      groups: Group[];
      next_cursor: string | null;
    };
    groups.push(...page.groups);
    cursor = page.next_cursor;
  }
  return groups;
}

const pairsIn = ({ contacts }: Group) =>
  contacts.flatMap(({ id }, place) => contacts.slice(place + 1).map((other) => [id, other.id] as const));

describe('10,000 people of thirty scripts, 1,000 of them twice, with families and namesakes', () => {
  it('have no wrong pair in certain, and nine of ten true ones in both bands', async () => {
    const [sqlite] = engines;
    const set = labelledPeople(10_000);
    const groups = await suggested(sqlite, set);
    const isTrue = ([one, other]: readonly [string, string]) => set.personOf.get(one) === set.personOf.get(other);
    const certain = groups.filter(({ band }) => band === 'certain').flatMap(pairsIn);
    expect(certain.filter((pair) => !isTrue(pair))).toEqual([]);
    const found = new Set(
      groups
        .flatMap(pairsIn)
        .filter(isTrue)
        .map((pair) => pair.toSorted().join(' ')),
    );
    expect(set.contacts).toHaveLength(10_000);
    expect(found.size / set.pairs).toBeGreaterThanOrEqual(0.9);
    expect(certain.length / set.pairs).toBeGreaterThan(0.5);
  });

  it('are suggested alike by both engines', async () => {
    const set = labelledPeople(1_000, 2);
    const [one, other] = await Promise.all(engines.map((engine) => suggested(engine, set)));
    expect(one?.length).toBeGreaterThan(50);
    const told = (groups: Group[] | undefined) =>
      groups?.map(({ band, contacts }) => [band, ...contacts.map(({ id }) => id)]);
    expect(told(other)).toEqual(told(one));
  });
});
