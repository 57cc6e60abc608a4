import type { seededRandom } from '../../test/support/random.ts';
import { type Api, openApi } from '../parts/api.ts';
import type { Change } from './changes.ts';
import { aMember } from './made-up.ts';
import type { Member, Project } from './model.ts';

type Random = ReturnType<typeof seededRandom>;

const perPage = 100;

interface Page {
  pages: { last_page: number };
  members: { id: string }[];
}

/** The ids of all members, whom others may ask about from now on. */
export async function findIds(port: number, project: Project): Promise<void> {
  using api = await openApi(port, firstKeyOf(project), 1);
  const ids: string[] = [];
  for (let page = 1, last = 1; page <= last; page++) {
    const path = `/v2/members?include=id&per_page=${perPage}&page=${page}`;
    const found = await api.data<Page>({ method: 'GET', path });
    ids.push(...found.members.map(({ id }) => id));
    last = found.pages.last_page;
  }
  project.memberIds = ids;
}

/** The one that is never revoked. */
export function firstKeyOf({ keys }: Project): string {
  return keys[0]?.token ?? '';
}

const steps = 4;

/** People are invited over HTTP and accept with a key of any project: they join their own and no other. */
export function joinByLink(port: number, projects: readonly Project[]): Change {
  return async (_operator, project, random) => {
    using own = await openApi(port, firstKeyOf(project), 1);
    using others = await openApi(port, firstKeyOf(random.pick(projects)), 1);
    for (let step = 0; step < steps; step++) {
      const link = project.links[0];
      if (link && random.below(2) === 0) await accept(others, project, project.links.splice(0, 1)[0] ?? link);
      else await invite(own, project, random);
    }
  };
}

async function invite(api: Api, project: Project, random: Random): Promise<void> {
  const { email, roles } = aMember(random, project.id);
  const change = project.members.change([...project.members.latest(), { email, status: 'Pending', roles }]);
  const body = JSON.stringify({ email, roles });
  const path = '/v2/members';
  const made = await api.data<{ id: string; invitation: { url: string } }>({ method: 'POST', path, body });
  change.end();
  project.memberIds.push(made.id);
  project.links.push({ email, token: made.invitation.url.split('#')[1] ?? '' });
}

/** The link is dead where an import has made the member Active. */
async function accept(api: Api, project: Project, { email, token }: Project['links'][number]): Promise<void> {
  const before = project.members.latest();
  const isAlive = before.some((one) => one.email === email && one.status === 'Pending');
  const after = before.map((one) => (one.email === email ? joined(one) : one));
  const change = isAlive ? project.members.change(after) : undefined;
  const ask = () => api.ask({ method: 'POST', path: '/v2/invitations/accept', body: JSON.stringify({ token }) });
  const { status, body } = await ask();
  change?.end();
  const data = { project: { id: project.id, name: `Project ${project.id}` }, email };
  const isRight = isAlive ? body === JSON.stringify({ status: 'success', data }) : status === 404;
  if (!isRight) throw new Error(`a link of ${email} in ${project.id} was answered with ${status} ${body}`);
  const again = await ask();
  if (again.status !== 404) throw new Error(`a used link of ${email} was answered with ${again.status} ${again.body}`);
}

const joined = (one: Member): Member => ({ ...one, status: 'Active' });
