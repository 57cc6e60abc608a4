/** A member by the promises of the interface alone. */
export interface Member {
  id: string;
  email: string;
  status: 'Active' | 'Pending';
  roles: readonly string[];
}

/** The members of a project in the order of the list, and whom each living link is for. */
export interface Team {
  members: readonly Member[];
  seats: number;
  links: ReadonlyMap<string, string>;
}

/** What somebody asks about the members of a project. */
export type Question = AboutOne | Invite | { kind: 'accept'; token: string } | List | { kind: 'seats' };
type AboutOne =
  | { kind: 'reinvite' | 'remove' | 'show'; id: string }
  | { kind: 'change'; id: string; roles: readonly string[] };
type Invite = { kind: 'invite'; email: string; roles: readonly string[] };
type List = { kind: 'list'; page: number; perPage: number };

/** A hand-over is done by command. */
export type Act = Question | { kind: 'transfer'; email: string };

/** What only the program can choose: the id of a new member, and a link. '' where it was not told. */
export interface Made {
  id: string;
  token: string;
}

/** What an act has to come to. */
export interface Outcome {
  told: Told;
  /** The event that tells of it, and what the team is then; missing where nothing changes. */
  change?: { type: string; id: string; changed: readonly string[] | null; next: Team };
}

/** An answer in a form that can be compared. */
export interface Told {
  status: number;
  code?: string | undefined;
  existing?: readonly string[] | undefined;
  data?: unknown;
}

export const givenRoles = ['Admin', 'Editor', 'Analyst', 'Agent', 'Billing', 'Viewer'] as const;
const roles = ['Owner', ...givenRoles];

/** An act on the team as it is at that moment. */
export function outcomeOf(team: Team, act: Act, made: Made): Outcome {
  switch (act.kind) {
    case 'invite':
      return invited(team, act, made);
    case 'accept':
      return accepted(team, act.token);
    case 'transfer':
      return transferred(team, act.email);
    case 'list':
      return { told: { status: 200, data: pageOf(team, act) } };
    case 'seats':
      return { told: { status: 200, data: { used: team.members.length, max: team.seats } } };
    case 'reinvite':
    case 'change':
    case 'remove':
    case 'show':
      return aboutOne(team, act, made);
  }
}

function aboutOne(team: Team, act: AboutOne, made: Made): Outcome {
  const found = team.members.find(({ id }) => id === act.id);
  if (!found) return refused(404, 'not_found');
  const { id } = found;
  if (act.kind === 'show') return { told: { status: 200, data: viewOf(found) } };
  if (act.kind === 'reinvite') {
    if (found.status === 'Active') return refused(409, 'conflict', [id]);
    const next = { ...team, links: withLink(team, id, made.token) };
    return { told: { status: 200, data: {} }, change: { type: 'member.invited', id, changed: null, next } };
  }
  if (isOwner(found)) return refused(409, 'owner_protected');
  if (act.kind !== 'change') {
    const members = team.members.filter((one) => one !== found);
    const next = { ...team, members, links: withLink(team, id) };
    return { told: { status: 200 }, change: { type: 'member.removed', id, changed: null, next } };
  }
  const after = { ...found, roles: inOrder(act.roles) };
  const told = { status: 200, data: viewOf(after) };
  if (after.roles.join() === found.roles.join()) return { told };
  return { told, change: { type: 'member.updated', id, changed: ['roles'], next: replaced(team, after) } };
}

function invited(team: Team, { email, roles: given }: Invite, { id, token }: Made): Outcome {
  const same = byEmail(team, email);
  if (same) return refused(409, 'conflict', [same.id]);
  if (team.members.length >= team.seats) return refused(409, 'seats_exhausted');
  const member = { id, email, status: 'Pending', roles: inOrder(given) } as const;
  const next = { ...team, members: [...team.members, member], links: withLink(team, id, token) };
  return {
    told: { status: 201, data: viewOf(member) },
    change: { type: 'member.invited', id, changed: null, next },
  };
}

function accepted(team: Team, token: string): Outcome {
  const found = team.members.find(({ id }) => id === team.links.get(token));
  if (!found) return refused(404, 'not_found');
  const { id, email } = found;
  const next = { ...replaced(team, { ...found, status: 'Active' }), links: withLink(team, id) };
  const told = { status: 200, data: { project: { id: 'acme', name: 'acme' }, email } };
  return { told, change: { type: 'member.activated', id, changed: null, next } };
}

function transferred(team: Team, email: string): Outcome {
  const found = byEmail(team, email);
  if (found?.status !== 'Active') return refused(409, 'refused');
  if (isOwner(found)) return { told: { status: 200, data: viewOf(found) } };
  const after = exchanged(found, 'Owner', 'Admin');
  const owner = team.members.filter(isOwner).map((one) => exchanged(one, 'Admin', 'Owner'));
  const others = team.members.filter((one) => one !== found && !isOwner(one));
  const next = { ...team, members: [after, ...owner, ...others] };
  return {
    told: { status: 200, data: viewOf(after) },
    change: { type: 'owner.transferred', id: found.id, changed: null, next },
  };
}

function pageOf({ members }: Team, { page, perPage }: List): object {
  return {
    pages: { current_page: page, last_page: Math.max(1, Math.ceil(members.length / perPage)), per_page: perPage },
    members: members
      .slice((page - 1) * perPage, page * perPage)
      .map(({ id, email, status, roles: held }) => ({ email, status, roles: held, id })),
  };
}

/** The times are the program's choice, but whether somebody has joined is not. */
function viewOf({ id, email, status, roles: held }: Member): object {
  return { id, email, status, roles: held, joined_at: status === 'Active' };
}

function refused(status: number, code: string, existing?: readonly string[]): Outcome {
  return { told: { status, code, existing } };
}

export function isOwner({ roles: held }: Pick<Member, 'roles'>): boolean {
  return held.includes('Owner');
}

function byEmail({ members }: Team, sought: string): Member | undefined {
  return members.find(({ email }) => email.toLowerCase() === sought.toLowerCase());
}

function inOrder(given: readonly string[]): string[] {
  return roles.filter((role) => given.includes(role));
}

function exchanged(member: Member, gained: string, lost: string): Member {
  return { ...member, roles: inOrder([gained, ...member.roles.filter((role) => role !== lost)]) };
}

function replaced(team: Team, after: Member): Team {
  return { ...team, members: team.members.map((one) => (one.id === after.id ? after : one)) };
}

/** Each member has one living link at most. */
function withLink({ links }: Team, id: string, token = ''): ReadonlyMap<string, string> {
  const others = [...links].filter(([, of]) => of !== id);
  return new Map(token === '' ? others : [...others, [token, id]]);
}
