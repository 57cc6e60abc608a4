import type { Asked } from '../parts/api.ts';
import type { Reply } from '../parts/caller.ts';
import type { Random } from '../writes/slot.ts';
import { givenRoles, type Made, type Question, type Told } from './team.ts';

/** What callers have learned together: everybody may meet what anybody else does. */
export interface Known {
  emails: readonly string[];
  ids: string[];
  tokens: string[];
}

const recent = 14;

/** Something that somebody does with the members; often with the same ones as others at that moment. */
export function anAct({ emails, ids, tokens }: Known, random: Random): Question {
  const kind = random.pick(['invite', 'invite', 'reinvite', 'accept', 'accept', 'change', 'change', 'remove'] as const);
  const email = random.pick(emails);
  const id = random.pick(ids.slice(-recent)) ?? 'none';
  const roles = givenRoles.filter(() => random.below(3) === 0);
  const some = roles.length === 0 ? ['Viewer'] : roles.toReversed();
  if (kind === 'invite') return { kind, email: random.below(4) === 0 ? email.toUpperCase() : email, roles: some };
  if (kind === 'accept') return { kind, token: random.pick(tokens.slice(-5)) ?? 'none' };
  return kind === 'change' ? { kind, id, roles: some } : { kind, id };
}

/** Everybody on one page. */
export const wholeTeam = { kind: 'list', page: 1, perPage: 100 } as const;

export function aLook({ ids }: Known, random: Random): Question {
  const kind = random.pick(['list', 'list', 'team', 'team', 'seats', 'show'] as const);
  if (kind === 'team') return wholeTeam;
  if (kind === 'list') return { kind, page: 1 + random.below(4), perPage: random.pick([3, 5]) };
  return kind === 'seats' ? { kind } : { kind, id: random.pick(ids.slice(-recent)) ?? 'none' };
}

const members = '/v2/members';

/** The request of an act; a hand-over has none. */
export function requestOf(act: Question): Asked {
  switch (act.kind) {
    case 'invite':
      return { method: 'POST', path: members, body: JSON.stringify({ email: act.email, roles: act.roles }) };
    case 'reinvite':
      return { method: 'POST', path: `${members}/${act.id}/invitation` };
    case 'accept':
      return { method: 'POST', path: '/v2/invitations/accept', body: JSON.stringify({ token: act.token }) };
    case 'change':
      return { method: 'PATCH', path: `${members}/${act.id}`, body: JSON.stringify({ roles: act.roles }) };
    case 'remove':
      return { method: 'DELETE', path: `${members}/${act.id}` };
    case 'show':
      return { method: 'GET', path: `${members}/${act.id}` };
    case 'list':
      return { method: 'GET', path: `${members}?page=${act.page}&per_page=${act.perPage}&include=id` };
    case 'seats':
      return { method: 'GET', path: '/v2/usage/user-seats' };
  }
}

interface Body {
  code?: string;
  existing?: readonly string[];
  data?: { id?: string; invitation?: { url: string } | null };
}

/** An answer in the form of the model, and what only the program could choose. */
export function readReply({ status, body }: Pick<Reply, 'status' | 'body'>): { told: Told; made: Made } {
  const { code, existing, data } = JSON.parse(body) as Body;
  return {
    told: { status, code, existing, data: comparable(data) },
    made: { id: data?.id ?? '', token: data?.invitation?.url.split('#')[1] ?? '' },
  };
}

export function comparable(data: unknown): unknown {
  if (data === undefined) return undefined;
  return JSON.parse(JSON.stringify(data), (key, value: unknown) => {
    if (key === 'joined_at') return value !== null;
    return key === 'invited_at' || key === 'invitation' ? undefined : value;
  });
}
