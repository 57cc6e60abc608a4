import { isFound, type Person } from '../../test/support/search-reference.ts';
import { openApi } from '../parts/api.ts';
import { badQuery, failed, type Question, succeeded } from './expectations.ts';
import { firstKeyOf } from './links.ts';
import { type Contact, type Project, tagOf } from './model.ts';
import type { Random } from './questions.ts';

const pathOf = (chatbotId: string) => `/v2/chatbots/${encodeURIComponent(chatbotId)}/contacts/search`;

/** No chatbot has so many. */
const limit = 100;
/** What everybody is called, of whatever project. */
export const everybody = 'ZOE';
export const pathOfProject = '/v2/contacts/search';

interface Search {
  query?: string;
  tag?: string;
}

/** By words and tags of anybody in any chatbot, and with cursors of others: only the caller's own people are found. */
export function randomSearch(projects: readonly Project[], own: Project | undefined, random: Random): Question {
  const owner = random.pick(projects);
  const others = projects.filter((project) => project !== own).flatMap(({ cursors }) => cursors);
  if (random.below(6) === 0 && others.length > 0) return withForeignCursor(random.pick(others));
  const ofChatbot = random.below(3) > 0 ? (own ?? owner) : owner;
  const chatbotId = random.below(10) === 0 ? 'none' : random.pick([...ofChatbot.chatbots.keys()]);
  const known = random.pick([...owner.chatbots.values()].flatMap((contacts) => Array.from(contacts.values())));
  const person = known?.latest();
  const texts = [
    everybody,
    person?.name,
    person?.email,
    person?.phone,
    person?.company,
    owner.id,
    `"${owner.id}" OR *`,
  ];
  const search: Search = {};
  if (random.below(4) > 0) search.query = random.pick(texts) ?? everybody;
  if (random.below(3) === 0) search.tag = tagOf(owner.id).toUpperCase();
  return aboutSearch(chatbotId, search);
}

function aboutSearch(chatbotId: string, search: Search): Question {
  return {
    scope: 'contacts:read',
    method: 'POST',
    path: pathOf(chatbotId),
    body: JSON.stringify({ ...search, limit }),
    answers: (project, from, to, requestId) => {
      const crowds = project.crowds.get(chatbotId)?.between(from, to) ?? [null];
      return crowds.map((crowd) => {
        if (crowd === null) return failed('not_found', requestId);
        const contacts = crowd.filter((one) => isMeant(one, project.id, search)).toReversed();
        return Object.assign(succeeded({ contacts, next_cursor: null }), { isOfPost: true });
      });
    },
  };
}

function isMeant(contact: Contact, projectId: string, { query, tag }: Search): boolean {
  const own = tagOf(projectId);
  if (tag !== undefined && tag.toLowerCase() !== own) return false;
  return query === undefined || isFound(personOf(contact, [own]), query);
}

export const personOf = (contact: Contact, tags: readonly string[] = []): Person => ({
  ...contact,
  external_id: null,
  tags,
});

/** Another project's cursor is refused, even for a chatbot with the same id. */
function withForeignCursor({ path, cursor }: Project['cursors'][number]): Question {
  const message = 'must be * or a next_cursor of this list';
  const refused = badQuery(path, [{ field: 'cursor', code: 'format', message }]);
  const body = JSON.stringify({ query: everybody, limit: 1, cursor });
  return { ...refused, scope: 'contacts:read', method: 'POST', body };
}

/** Searches of the project that others try to go on with. */
export async function findCursors(port: number, project: Project): Promise<void> {
  using api = await openApi(port, firstKeyOf(project), 1);
  for (const path of [...[...project.chatbots.keys()].map(pathOf), pathOfProject]) {
    const body = JSON.stringify({ query: everybody, limit: 1 });
    const asked = { method: 'POST', path, body } as const;
    const { next_cursor: cursor } = await api.data<{ next_cursor: string | null }>(asked);
    if (cursor !== null) project.cursors.push({ path, cursor });
  }
}
