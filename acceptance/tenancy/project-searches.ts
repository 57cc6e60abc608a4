import { type Condition, meets } from '../../test/support/conditions-reference.ts';
import { isFound } from '../../test/support/search-reference.ts';
import { openApi } from '../parts/api.ts';
import { failed, type Question, succeeded } from './expectations.ts';
import { firstKeyOf } from './links.ts';
import { type Contact, placeOf, type Project, tagOf } from './model.ts';
import type { Random } from './questions.ts';
import { everybody, pathOfProject as path, personOf } from './searches.ts';

/** More than any search of a question finds. */
const limit = 100;

interface Search {
  chatbot_ids?: readonly string[];
  query?: string;
  where: readonly Condition[];
  sort?: 'added_asc' | 'updated_desc';
}

type Placed = Contact & { chatbot_id: string };

/** Over all chatbots or two of them, with conditions that people of every project meet, or one person of any. */
export function randomProjectSearch(projects: readonly Project[], own: Project | undefined, random: Random): Question {
  if (random.below(4) === 0) return aboutUsage;
  const owner = random.pick(projects);
  const person = random.pick([...owner.chatbots.values()].flatMap((contacts) => Array.from(contacts.values())));
  const { company = null, email = null } = person?.latest() ?? {};
  const where: Condition[] = [{ field: 'email_domain', is: 'EXAMPLE.com' }];
  if (random.below(3) === 0) where.push({ field: 'tags', any_of: [tagOf(owner.id), 'nobody'] });
  if (random.below(3) === 0) where.push({ field: 'phone', known: random.below(2) === 0 });
  // Nobody else has this company, so that the order by update is known.
  const isOfOne = company !== null && random.below(2) === 0;
  if (isOfOne) where.push({ field: 'company', is: company.toLowerCase() });
  const search: Search = { where };
  const chatbotsOf = (own ?? owner).crowds;
  if (!isOfOne || random.below(2) === 0) search.chatbot_ids = [0, 1].map(() => random.pick([...chatbotsOf.keys()]));
  if (random.below(20) === 0) search.chatbot_ids = ['none'];
  if (isOfOne && random.below(2) === 0) search.sort = 'updated_desc';
  else if (random.below(2) === 0) search.query = email !== null && random.below(2) === 0 ? email : everybody;
  if (search.sort === undefined && random.below(3) === 0) search.sort = 'added_asc';
  return aboutSearch(search);
}

function aboutSearch(search: Search): Question {
  return {
    scope: 'contacts:read',
    method: 'POST',
    path,
    body: JSON.stringify({ ...search, limit, count: true }),
    answers: (project, from, to, requestId) =>
      momentsOf(project, from, to, search.chatbot_ids).map((all) => {
        if (all === null) return failed('not_found', requestId);
        const contacts = all.filter((one) => isMeant(one, project.id, search));
        if (search.sort !== 'added_asc') contacts.reverse();
        const count = { value: contacts.length, exact: true };
        return Object.assign(succeeded({ contacts, next_cursor: null, count }), { isOfPost: true });
      }),
  };
}

/** All that the contacts may have been, in the order of their addition; null where one of the chatbots was not there. */
function momentsOf({ crowds, places }: Project, from: number, to: number, ids?: readonly string[]) {
  let moments: (Placed[] | null)[] = [[]];
  for (const id of new Set(ids ?? crowds.keys())) {
    const versions = (crowds.get(id)?.between(from, to) ?? [null]).map((crowd) => {
      if (crowd === null && ids) return null;
      return (crowd ?? []).map((one): Placed => Object.assign({ chatbot_id: id }, one));
    });
    moments = moments.flatMap((all) => versions.map((crowd) => (all && crowd ? all.concat(crowd) : null)));
  }
  const placed = ({ chatbot_id: chatbotId, id }: Placed) => places.get(placeOf(chatbotId, id)) ?? -1;
  return moments.map((all) => all?.toSorted((one, other) => placed(one) - placed(other)) ?? null);
}

function isMeant(contact: Placed, projectId: string, { query, where }: Search): boolean {
  const tags = [tagOf(projectId)];
  if (!where.every((condition) => meets({ ...contact, tags, attributes: {} }, condition))) return false;
  return query === undefined || isFound(personOf(contact, tags), query);
}

const aboutUsage: Question = {
  scope: 'project:read',
  path: '/v2/usage/contacts',
  answers: (project, from, to) =>
    momentsOf(project, from, to).map((all) => succeeded({ used: all?.length ?? 0, max: project.contactsMax })),
};

interface Page {
  contacts: Placed[];
  next_cursor: string | null;
}

/** Each project finds and counts its own whole crowd, page by page, and nobody else by what everybody has. */
export async function objectionsToSearches(port: number, projects: readonly Project[]): Promise<string[]> {
  const failures: string[] = [];
  for (const project of projects) {
    using api = await openApi(port, firstKeyOf(project), 1);
    const where: Condition[] = [{ field: 'email_domain', is: 'example.com' }];
    const found: Placed[] = [];
    for (let cursor: string | null = '*'; cursor !== null;) {
      const body = JSON.stringify({ where, sort: 'added_asc', limit: 7, cursor });
      const page: Page = await api.data<Page>({ method: 'POST', path, body });
      found.push(...page.contacts);
      cursor = page.next_cursor;
    }
    const now = Date.now();
    const [all] = momentsOf(project, now, now);
    const right = all?.filter((one) => isMeant(one, project.id, { where }));
    if (JSON.stringify(found) !== JSON.stringify(right)) {
      failures.push(`${project.id} finds ${JSON.stringify(found)} instead of ${JSON.stringify(right)}`);
    }
    const counted = await api.data<{ chatbots: { id: string; contact_count: number }[] }>({
      method: 'GET',
      path: '/v2/chatbots?include=contact_count',
    });
    for (const { id, contact_count: count } of counted.chatbots) {
      const own = project.crowds.get(id)?.latest()?.length;
      if (own !== count) failures.push(`the chatbot ${id} of ${project.id} counts ${count} contacts and has ${own}`);
    }
  }
  return failures;
}
