import type { Installation } from '../installation.ts';
import { openApi } from '../parts/api.ts';
import { readFeed } from '../writes/feed.ts';
import { failed, nobody, type Question, succeeded } from './expectations.ts';
import { historyOf } from './history.ts';
import { firstKeyOf } from './links.ts';
import { toNdjson } from './made-up.ts';
import { type Contact, placeOf, type Project, tagOf } from './model.ts';
import type { Random } from './questions.ts';

/** In every project, with the same contacts but for their names; nobody changes them. */
const chatbotId = 'directory';
const contacts = `/v2/chatbots/${chatbotId}/contacts`;
const pathOf = (id: string) => `${contacts}/${id}`;

const nameOf = (kind: 'stays' | 'source', { id }: Project) => `${kind}-${id}`;
const emailOf = (name: string) => `${name}@example.com`;
/** In each project somebody has this id: in every other one they were merged. */
const twin = 'twin';
const isTwinMerged = ({ id }: Project) => Number(id.split('-').at(-1)) % 2 === 0;

function personOf(id: string): Contact {
  const nothing = { job_title: null, phone: null, website: null, company: null };
  return { id, name: `Zoë ${id}`, email: emailOf(id), ...nothing, created_at: '2024-06-08T13:38:33+00:00' };
}

/** Puts two contacts of each project together, and in every other project a third. */
export async function putTogether(at: Installation, port: number, project: Project): Promise<void> {
  const target = ['--project', project.id];
  await at.json(['chatbots', 'create', ...target, '--name', 'Bot', '--id', chatbotId]);
  const [stays, source] = [nameOf('stays', project), nameOf('source', project)];
  const twins = { ...personOf(stays), id: twin, email: null };
  const people = [personOf(stays), personOf(source), { ...twins }];
  const input = toNdjson(people.map((one) => Object.assign(one, { tags: [tagOf(project.id)] })));
  await at.json(['contacts', 'import', '-', '--format', 'ndjson', ...target, '--chatbot', chatbotId], { input });
  using api = await openApi(port, firstKeyOf(project), 1);
  for (const from of isTwinMerged(project) ? [source, twin] : [source]) {
    const body = JSON.stringify({ from: [from] });
    const { merge_id: id } = await api.data<{ merge_id: string }>({
      method: 'POST',
      path: `${pathOf(stays)}/merge`,
      body,
    });
    project.mergeIds.push(id);
  }
  const live = isTwinMerged(project) ? [personOf(stays)] : [personOf(stays), twins];
  project.crowds.set(chatbotId, historyOf<readonly Contact[] | null>(live));
  for (const { id } of live) project.places.set(placeOf(chatbotId, id), project.places.size);
}

const write = { scope: 'contacts:write', method: 'POST' } as const;
const read = { scope: 'contacts:read', method: 'POST' } as const;
const json = JSON.stringify;

/** About merged contacts, over all chatbots, and what may be tried on people of others: they do not exist. */
export function randomDirectory(projects: readonly Project[], own: Project | undefined, random: Random): Question {
  const owner = random.below(3) === 0 ? (own ?? random.pick(projects)) : random.pick(projects);
  const [stays, source] = [nameOf('stays', owner), nameOf('source', owner)];
  const email = emailOf(random.pick([stays, source]));
  const everybodys: Question[] = [
    { scope: 'contacts:read', path: pathOf(source), answers: merged(owner) },
    { scope: 'contacts:read', path: pathOf(twin), answers: ofTwin },
    { ...write, method: 'PATCH', path: pathOf(source), body: '{"properties":{"name":"X"}}', answers: merged(owner) },
    { ...write, method: 'DELETE', path: pathOf(source), answers: merged(owner) },
    { ...write, path: `${pathOf(source)}/restore`, answers: merged(owner) },
    { ...write, path: `${pathOf(source)}/merge`, body: json({ from: [stays] }), answers: merged(owner) },
    { ...read, path: '/v2/contacts/lookup', body: json({ email }), answers: lookedUp(owner) },
    { ...read, path: '/v2/contacts/lookup', body: json({ ids: [source, stays] }), answers: lookedUp(owner) },
    { ...read, path: `${contacts}/lookup`, body: json({ email }), answers: lookedUp(owner, false) },
    { ...write, path: '/v2/contacts/erase?dry_run=true', body: placesOf(owner), answers: erased(owner) },
  ];
  if (owner === own) return random.pick(everybodys);
  const ownStays = nameOf('stays', own ?? owner);
  const others: Question[] = [
    { ...write, path: `${pathOf(stays)}/merge`, body: json({ from: [source] }), answers: nobody },
    { ...write, path: `${pathOf(ownStays)}/merge?dry_run=true`, body: json({ from: [source] }), answers: nobody },
    { ...write, path: `${pathOf(ownStays)}/merge`, body: json({ from: [stays] }), answers: nobody },
    { ...write, path: `/v2/chatbots/${chatbotId}/merges/${random.pick(owner.mergeIds)}/undo`, answers: nobody },
    { ...write, method: 'DELETE', path: `${pathOf(random.pick([stays, source]))}?purge=true`, answers: nobody },
    { ...write, path: `${contacts}/duplicates/dismiss`, body: json({ contact_ids: [stays, source] }), answers: nobody },
    { ...read, also: 'contacts:write', path: '/v2/contacts/disclose', body: json({ email }), answers: undisclosed },
    { ...read, also: 'contacts:write', path: '/v2/contacts/disclose', body: placesOf(owner), answers: undisclosed },
  ];
  return random.pick([...everybodys, ...others]);
}

function placesOf(owner: Project): string {
  const ids = [nameOf('stays', owner), nameOf('source', owner)];
  return json({ contacts: ids.map((id) => ({ chatbot_id: chatbotId, id })) });
}

/** 410 to the project, and to others what they get for everything that does not exist. */
function merged(owner: Project): Question['answers'] {
  return (project, from, to, requestId) =>
    project === owner ? [gone(project, requestId)] : nobody(project, from, to, requestId);
}

function gone(project: Project, requestId: string) {
  const stays = nameOf('stays', project);
  const head = [`link: <${pathOf(stays)}>; rel="canonical"`];
  return failed('merged', requestId, { head, merged_into: stays });
}

const ofTwin: Question['answers'] = (project, _from, _to, requestId) => [
  isTwinMerged(project)
    ? gone(project, requestId)
    : succeeded({ ...personOf(nameOf('stays', project)), id: twin, email: null }),
];

function lookedUp(owner: Project, isOfProject = true): Question['answers'] {
  const one = personOf(nameOf('stays', owner));
  const found = isOfProject ? { chatbot_id: chatbotId, ...one } : one;
  return (project) => [{ ...succeeded({ contacts: project === owner ? [found] : [] }), isOfPost: true }];
}

function erased(owner: Project): Question['answers'] {
  return (project) => {
    const receipt = { receipt_id: null, erased_at: null, contacts: project === owner ? 2 : 0, reference: null };
    return [{ ...succeeded(receipt), isOfPost: true, isUntagged: true }];
  };
}

const undisclosed: Question['answers'] = () => [
  { ...succeeded({ contacts: [], deleted: [], events: [] }), isOfPost: true },
];

interface Disclosed {
  contacts: { id: string }[];
  deleted: { id: string }[];
}

/** Nobody erases people of others, and each project still has its own. */
export async function objectionsToDirectory(port: number, projects: readonly Project[]): Promise<string[]> {
  const failures: string[] = [];
  for (const [index, project] of projects.entries()) {
    using own = await openApi(port, firstKeyOf(project), 1);
    using other = await openApi(port, firstKeyOf(projects[(index + 1) % projects.length] ?? project), 1);
    const erase = { method: 'POST', path: '/v2/contacts/erase', body: placesOf(project) } as const;
    const { contacts: taken } = await other.data<{ contacts: number }>(erase);
    if (taken !== 0) failures.push(`another project erases ${taken} people of ${project.id}`);
    const [stays, source] = [nameOf('stays', project), nameOf('source', project)];
    const body = json({ email: emailOf(source) });
    const found = await own.data<Disclosed>({ method: 'POST', path: '/v2/contacts/disclose', body });
    const ids = [...found.contacts, ...found.deleted].map(({ id }) => id).toSorted();
    const right = [stays, source, ...(isTwinMerged(project) ? [twin] : [])].toSorted();
    if (ids.join() !== right.join()) failures.push(`${project.id} discloses ${ids.join()} instead of ${right.join()}`);
    const { events } = await readFeed(own);
    const told = events.filter(({ type }) => type === 'contacts.erased' || type === 'contact.unmerged');
    if (told.length > 0) failures.push(`the feed of ${project.id} tells ${json(told)}`);
  }
  return failures;
}
