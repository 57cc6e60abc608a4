import type { seededRandom } from '../../test/support/random.ts';
import { unissuedToken } from '../parts/tokens.ts';
import {
  aboutContact,
  aboutForeignMember,
  aboutMembers,
  badQuery,
  type Credential,
  type MemberPage,
  type Question,
} from './expectations.ts';
import { chatbotIds, contactIds, type Project, roles } from './model.ts';
import { randomDirectory } from './one-directory.ts';
import { randomProjectSearch } from './project-searches.ts';
import { randomSearch } from './searches.ts';
import { aboutForeignWebhook } from './webhooks.ts';

export type Random = ReturnType<typeof seededRandom>;

/** Somebody's key, mostly, and as keys are presented, mostly. */
export function randomCredential(projects: readonly Project[], random: Random): Credential {
  const kind = random.below(40);
  if (kind === 0) return { owner: undefined, line: undefined };
  if (kind === 1) return { owner: undefined, line: `Authorization: Bearer ${unissuedToken(random)}` };
  const project = random.pick(projects);
  const working = project.keys.filter(({ works }) => works.latest());
  const key = random.pick(random.below(2) === 0 ? working : project.keys);
  if (kind === 2) return { owner: undefined, line: `Authorization: Basic ${key.token}` };
  const scheme = kind === 3 ? 'bEARER  ' : 'Bearer ';
  return { owner: { project, key }, line: `Authorization: ${scheme}${key.token}` };
}

/** Of the caller's own things, of other people's, and of what is nobody's. */
export function randomQuestion(projects: readonly Project[], own: Project | undefined, random: Random): Question {
  if (random.below(5) === 0) return randomMembers(own ?? random.pick(projects), projects, random);
  if (random.below(8) === 0) {
    const others = projects.filter((project) => project !== own).flatMap(({ memberIds }) => memberIds);
    const kind = random.pick(['show', 'change', 'remove', 'reinvite'] as const);
    return aboutForeignMember(random.pick(others), kind);
  }
  if (random.below(20) === 0) {
    const others = projects.filter((project) => project !== own).flatMap(({ webhookIds }) => webhookIds);
    return aboutForeignWebhook(random.pick(others), random);
  }
  if (random.below(4) === 0) return randomSearch(projects, own, random);
  if (random.below(4) === 0) return randomDirectory(projects, own, random);
  if (random.below(4) === 0) return randomProjectSearch(projects, own, random);
  const owner = random.below(2) === 0 ? (own ?? random.pick(projects)) : random.pick(projects);
  const isSomebodys = random.below(5) > 0;
  const chatbotId = isSomebodys ? random.pick([...owner.chatbots.keys()]) : random.pick([...chatbotIds, 'none']);
  const contactId =
    random.below(12) === 0 ? random.pick(['none', 'c-99', 'x'.repeat(65), '\0']) : random.pick(contactIds);
  const query = random.below(8) === 0 ? `?project=${owner.id}&project_id=${owner.id}` : '';
  return aboutContact(chatbotId, contactId, query);
}

const members = '/v2/members';
const statuses = ['Active', 'Pending'] as const;

function randomMembers(own: Project, projects: readonly Project[], random: Random): Question {
  const kind = random.below(8);
  if (kind === 0) return random.pick(badQueries);
  if (kind === 1) return aboutMembers({}, members);
  if (kind === 2) return aboutMembers({}, `${members}?project=${random.pick(projects).id}&limit=1`);
  const wanted: MemberPage = {};
  if (random.below(2) === 0) wanted.page = random.pick([1, 2, 3, 4, 99, Number.MAX_SAFE_INTEGER]);
  if (kind > 4) {
    if (random.below(2) === 0) wanted.per_page = random.pick([1, 2, 7, 15, 100]);
    if (random.below(3) === 0) wanted.status = random.pick(statuses);
    if (random.below(3) === 0) wanted.role = random.pick(roles);
    if (random.below(4) === 0) {
      const known = random.pick(random.below(2) === 0 ? [own] : projects).members.latest();
      wanted.email = random.pick(known)?.email.toUpperCase() ?? 'nobody@example.com';
    }
  }
  const query = Object.entries(wanted).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return aboutMembers(wanted, query.length === 0 ? members : `${members}?${query.join('&')}`);
}

const badQueries = [
  badQuery(`${members}?page=0`, [{ field: 'page', code: 'too_small', message: 'must be at least 1' }]),
  badQuery(`${members}?page=1&page=2`, [{ field: 'page', code: 'too_many', message: 'must be given once' }]),
  badQuery(`${members}?status=away&per_page=101`, [
    { field: 'per_page', code: 'too_large', message: 'must be at most 100' },
    { field: 'status', code: 'not_allowed', message: 'must be one of Active, Pending' },
  ]),
];
