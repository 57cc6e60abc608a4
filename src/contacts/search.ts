import { chatbotIdSchema } from '../chatbots/chatbot.ts';
import { requireChatbot } from '../chatbots/require.ts';
import { read } from '../operation.ts';
import type { Reads } from '../store.ts';
import { hiddenNumber, nextCursorSchema, walkThrough } from '../values/cursor.ts';
import { isId } from '../values/identifier.ts';
import { object } from '../values/object-schema.ts';
import { limitSchema } from '../values/page.ts';
import { isMoment } from '../values/timestamp.ts';
import { contactInProjectSchema, exampleInProject, viewInProject } from './in-project.ts';
import {
  countMax,
  filters,
  isByUpdate,
  limitDefault,
  limitMax,
  orders,
  requireSearch,
  type SearchInput,
  timesIn,
  wordsIn,
} from './search-input.ts';
import type { UpdatePosition } from './store.ts';
import { contactSchema, exampleView, type Include, viewOf } from './view.ts';

const chatbotsMax = 100;

const description =
  'The contacts in whose name, e-mail, company, job title, `external_id`, tags or phone every word of the query begins a word or a number. Letter case, accents and ligatures do not matter. Of a phone each group of digits is found, all digits together, and the last ten, seven and four. Without a query the filters alone decide. Contacts come in the order in which they were added; a restored contact counts as added when it was restored. It is a POST, so that no log keeps whom you look for.';
const answer =
  'The contacts, the most recently added first unless `sort` says otherwise. `next_cursor` is null at the end. `count` is there if it was asked for.';

const countSchema = object({
  value: { type: 'integer', format: 'int32', minimum: 0, maximum: countMax },
  exact: { type: 'boolean', description: `False where there are more than ${countMax}.` },
});

const outputOf = (contact: typeof contactSchema) =>
  object(
    { contacts: { type: 'array', items: contact, maxItems: limitMax }, next_cursor: nextCursorSchema },
    { optional: { count: countSchema } },
  );

export const searchContacts = read({
  name: 'searchContacts',
  scope: 'contacts:read',
  document: { tag: 'Contacts', summary: 'Search contacts', description, answer },
  input: object({ chatbotId: chatbotIdSchema }, { optional: filters }),
  check: requireSearch,
  output: outputOf(contactSchema),
  errors: ['invalid', 'not_found'],
  example: { contacts: [exampleView], next_cursor: null as string | null },
  run: async (reads, { projectId }, { chatbotId, ...given }) => {
    const { found, ...answered } = await searchAmong(reads, projectId, [chatbotId], given);
    return { contacts: found.map((one) => viewOf(one, given.include)), ...answered };
  },
});

const outputInProject = outputOf(contactInProjectSchema);

const filtersInProject = {
  chatbot_ids: {
    type: 'array',
    items: chatbotIdSchema,
    minItems: 1,
    maxItems: chatbotsMax,
    description: `Only contacts of these chatbots, at most ${chatbotsMax}; missing means all.`,
  },
  ...filters,
} as const;

export const searchAllContacts = read({
  name: 'searchAllContacts',
  scope: 'contacts:read',
  document: {
    tag: 'Contacts',
    summary: 'Search the contacts of all chatbots',
    description: `Searches all chatbots of the project, or some of them; each contact has its \`chatbot_id\`. ${description}`,
    answer,
  },
  input: object({}, { optional: filtersInProject }),
  check: requireSearch,
  output: outputInProject,
  errors: ['invalid', 'not_found'],
  example: { contacts: [exampleInProject], next_cursor: null as string | null },
  run: (reads, { projectId }, { chatbot_ids: chatbotIds, ...given }) =>
    searchInProject(reads, projectId, chatbotIds, given),
});

const exportMax = 1_000;
const inExport: Include[] = ['details', 'external_id', 'attributes', 'tags'];

/** The same for a file that a member takes along: what an export shows of each, and ten times as many in an answer. */
export const exportFound = read({
  name: 'exportFound',
  scope: 'contacts:export',
  input: object(
    {},
    { optional: { ...filtersInProject, limit: limitSchema(exportMax, exportMax, 'How many contacts.') } },
  ),
  cost: ({ limit = exportMax }) => Math.ceil(limit / limitMax),
  check: requireSearch,
  run: (reads, { projectId }, { chatbot_ids: chatbotIds, ...given }) =>
    searchInProject(reads, projectId, chatbotIds, { limit: exportMax, include: inExport, ...given }),
});

/** For assistants, who know ids of chatbots one at a time. */
export const findPeople = read({
  name: 'findPeople',
  scope: 'contacts:read',
  input: object(
    {},
    {
      optional: {
        chatbot_id: { ...chatbotIdSchema, description: 'Only people of this chatbot; leave it out to search all.' },
        ...filters,
      },
    },
  ),
  check: requireSearch,
  output: outputInProject,
  run: (reads, { projectId }, { chatbot_id: chatbotId, ...given }) =>
    searchInProject(reads, projectId, chatbotId === undefined ? undefined : [chatbotId], given),
});

async function searchAmong(
  { chatbots, contacts, signIn }: Reads,
  projectId: string,
  chatbotIds: readonly string[] | undefined,
  given: SearchInput,
) {
  const { query, sort = 'added_desc', limit = limitDefault, cursor = '*', include, count = false } = given;
  const words = wordsIn(query);
  const ids = chatbotIds && [...new Set(chatbotIds)].toSorted();
  const byUpdate = isByUpdate(sort);
  const tag = given.tag?.toLowerCase();
  const where = given.where?.length === 0 ? undefined : given.where;
  const search = { chatbotIds: ids, words: words ?? [], tag, where, ...timesIn(given), order: orders[sort] };
  const name = ['search', projectId, JSON.stringify([byUpdate, words === undefined, search])];
  // A plain place would tell how many contacts all projects have added.
  const hidden = hiddenNumber(await signIn.secret());
  const walk = walkThrough<number | UpdatePosition>(name, cursor, byUpdate ? updatePosition : hidden.toPosition);
  for (const id of ids ?? []) await requireChatbot(chatbots, projectId, id);
  if (words?.length === 0) {
    return { found: [], next_cursor: null, ...(count && { count: { value: 0, exact: true } }) };
  }
  const { rows, next_cursor } = await walk.take(
    limit,
    (after, number) => {
      const at = typeof after === 'object' || byUpdate ? { byUpdate: { after: after as UpdatePosition } } : { after };
      return contacts.search(projectId, { ...search, ...at, limit: number }, include !== undefined);
    },
    ({ place, updated_at: updated, id, chatbot_id: chatbotId }) =>
      byUpdate ? [updated ?? '', id, chatbotId] : hidden.toParts(place),
  );
  if (!count) return { found: rows, next_cursor };
  const isFiltered = words ?? tag ?? where ?? search.created ?? search.updated;
  const value = isFiltered
    ? (await contacts.search(projectId, { ...search, limit: countMax + 1 }, false)).length
    : await contacts.count(projectId, ids);
  return { found: rows, next_cursor, count: { value: Math.min(value, countMax), exact: value <= countMax } };
}

async function searchInProject(...[reads, projectId, chatbotIds, given]: Parameters<typeof searchAmong>) {
  const { found, ...answered } = await searchAmong(reads, projectId, chatbotIds, given);
  return { contacts: found.map((one) => viewInProject(one, given.include)), ...answered };
}

function updatePosition(parts: readonly unknown[]): UpdatePosition | undefined {
  const [time, id, chatbotId] = parts;
  if (parts.length !== 3 || typeof time !== 'string' || typeof id !== 'string' || typeof chatbotId !== 'string') {
    return undefined;
  }
  return (time === '' || isMoment(time)) && isId(id) && isId(chatbotId) ? [time, id, chatbotId] : undefined;
}
