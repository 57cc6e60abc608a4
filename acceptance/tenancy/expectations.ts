import { failure, type FailureCode, type FieldFailure, messagesOf } from '../parts/failure-bodies.ts';
import type { Contact, Key, Member, Project, Scope } from './model.ts';

/** A right answer, but for its ETag and its Date. */
export interface Expected {
  status: number;
  /** Its headers from the one after the request id to the length of the body. */
  head: readonly string[];
  body: string;
  /** A POST has no 304. */
  isOfPost?: boolean;
  /** A success without a representation. */
  isUntagged?: boolean;
}

/** What is asked, past the key. */
export interface Question {
  scope: Scope;
  /** Another one that it needs. */
  also?: Scope;
  /** Missing for GET. */
  method?: 'POST' | 'PATCH' | 'DELETE';
  path: string;
  body?: string;
  /** The right answers to a project at some moment of this time. */
  answers(project: Project, from: number, to: number, requestId: string): Expected[];
}

/** As a caller presents a key, or something like one. */
export interface Credential {
  /** Undefined where nobody ever had it. */
  owner: { project: Project; key: Key } | undefined;
  /** The line of the header; undefined for none. */
  line: string | undefined;
}

/** All answers that are right for a question put and answered within this time. */
export function expectedAnswers(
  { owner, line }: Credential,
  question: Question,
  from: number,
  to: number,
  requestId: string,
): Expected[] {
  const challenge = 'www-authenticate: Bearer realm="roster"';
  const sentToken = line !== undefined && /^authorization: bearer +\S/i.test(line);
  const refused = failed('unauthenticated', requestId, {
    head: [sentToken ? `${challenge}, error="invalid_token"` : challenge],
  });
  if (!owner) return [refused];
  const { project, key } = owner;
  return key.works.between(from, to).flatMap((works) => {
    if (!works) return [refused];
    const { scope, also = scope } = question;
    const missing = [scope, also].find((one) => !key.scopes.includes(one));
    if (missing === undefined) return question.answers(project, from, to, requestId);
    const head = [`${challenge}, error="insufficient_scope", scope="${missing}"`];
    const [message] = messagesOf('insufficient_scope', missing);
    return [failed('insufficient_scope', requestId, { head, message })];
  });
}

export function aboutContact(chatbotId: string, contactId: string, query = ''): Question {
  const [chatbot, contact] = [chatbotId, contactId].map((id) => encodeURIComponent(id));
  return {
    scope: 'contacts:read',
    path: `/v2/chatbots/${chatbot}/contacts/${contact}${query}`,
    answers: ({ chatbots }, from, to, requestId) => {
      const versions = chatbots.get(chatbotId)?.get(contactId)?.between(from, to) ?? [null];
      return versions.map((one: Contact | null) => (one ? succeeded(one) : failed('not_found', requestId)));
    },
  };
}

export interface MemberFilter {
  status?: string | undefined;
  role?: string | undefined;
  email?: string | undefined;
}

export interface MemberPage extends MemberFilter {
  page?: number | undefined;
  per_page?: number | undefined;
}

const perPageDefault = 15;

export function aboutMembers(
  { page = 1, per_page: perPage = perPageDefault, ...filter }: MemberPage,
  path: string,
): Question {
  return {
    scope: 'members:read',
    path,
    answers: ({ members }, from, to) =>
      members.between(from, to).map((all) => {
        const chosen = all.filter((member) => isChosen(member, filter));
        const lastPage = Math.max(1, Math.ceil(chosen.length / perPage));
        return succeeded({
          pages: { current_page: page, last_page: lastPage, per_page: perPage },
          members: chosen.slice((page - 1) * perPage, page * perPage),
        });
      }),
  };
}

function isChosen({ email, status, roles }: Member, filter: MemberFilter): boolean {
  return (
    (filter.status === undefined || status === filter.status) &&
    (filter.role === undefined || roles.includes(filter.role)) &&
    (filter.email === undefined || email.toLowerCase() === filter.email.toLowerCase())
  );
}

/** What somebody may try on a member of another project: to them there is no such member. */
export function aboutForeignMember(memberId: string, kind: 'show' | 'change' | 'remove' | 'reinvite'): Question {
  const path = `/v2/members/${memberId}`;
  const answers = nobody;
  if (kind === 'show') return { scope: 'members:read', path, answers };
  const scope = 'members:write';
  if (kind === 'remove') return { scope, method: 'DELETE', path, answers };
  if (kind === 'reinvite') return { scope, method: 'POST', path: `${path}/invitation`, body: '{}', answers };
  return { scope, method: 'PATCH', path, body: '{"roles":["Admin"]}', answers };
}

export const nobody: Question['answers'] = (_project, _from, _to, requestId) => [failed('not_found', requestId)];

/** A query that is refused, whoever asks. */
export function badQuery(path: string, errors: readonly FieldFailure[]): Question {
  return {
    scope: 'members:read',
    path,
    answers: (_project, _from, _to, requestId) => [failed('validation_failed', requestId, { errors })],
  };
}

export function succeeded(data: object): Expected {
  return withBody(200, [], JSON.stringify({ status: 'success', data }));
}

interface Told {
  head?: readonly string[];
  errors?: readonly FieldFailure[];
  message?: string | undefined;
  merged_into?: string;
}

export function failed(
  code: FailureCode,
  requestId: string,
  { head = [], errors, message, merged_into }: Told = {},
): Expected {
  const { status, body } = failure(code, requestId, errors, undefined, message, merged_into);
  return withBody(status, head, body);
}

function withBody(status: number, head: readonly string[], body: string): Expected {
  const type = 'content-type: application/json; charset=utf-8';
  return { status, head: [type, ...head, `content-length: ${Buffer.byteLength(body)}`], body };
}
