import { headerOf } from '../parts/api.ts';
import type { Reply } from '../parts/caller.ts';
import { failure, type FailureCode } from '../parts/failure-bodies.ts';
import { agree, digestOf, standingLines } from '../tenancy/judge.ts';
import type { Answer } from './chatbot-model.ts';
import type { Refused } from './person.ts';

/** A right answer, whole but for its ETag. */
export interface Right {
  status: number;
  head: readonly string[];
  body: string;
  hasTag: boolean;
}

export function succeeded(answer: Answer, isRepeat: boolean): Right {
  const body = JSON.stringify({ status: 'success', data: answer.data });
  const head = [
    ...(isRepeat ? ['idempotent-replayed: true'] : []),
    ...(answer.location === undefined ? [] : [`location: ${answer.location}`]),
  ];
  return { status: answer.status, head, body, hasTag: answer.hasTag === true };
}

export function refused({ code, told }: Refused, requestId: string, chatbotId = ''): Right {
  const { errors, existing, message, merged_into: into } = told;
  const { status, body } = failure(code as FailureCode, requestId, errors, existing, message, into);
  const link = `link: </v2/chatbots/${chatbotId}/contacts/${into}>; rel="canonical"`;
  const head = code === 'idempotency_in_progress' ? ['retry-after: 1'] : into === undefined ? [] : [link];
  return { status, head, body, hasTag: false };
}

/** Holds answers against the right ones, and remembers the last ETag of each body. */
export function openJudge() {
  const tags = new Map<string, string>();
  return {
    /** The ETag with which the representation was told last; undefined where it never was. */
    tagOf: (data: object): string | undefined => tags.get(JSON.stringify({ status: 'success', data })),
    /** Why this is not the right answer; undefined where it is. */
    objection: (reply: Reply, right: Right, requestId: string): string | undefined => {
      const tag = headerOf(reply, 'etag');
      const lines = [
        ...standingLines(requestId),
        'content-type: application/json; charset=utf-8',
        ...right.head,
        `content-length: ${Buffer.byteLength(right.body)}`,
      ];
      const head = reply.head.filter((line) => !line.startsWith('etag: '));
      if (reply.status !== right.status || reply.body !== right.body || !agree(head, lines)) {
        return `${reply.status} ${reply.body} ${JSON.stringify(head)} instead of ${right.status} ${right.body} ${JSON.stringify(right.head)}`;
      }
      if ((tag !== undefined) !== right.hasTag) return `${right.hasTag ? 'no' : 'an'} ETag with ${reply.body}`;
      if (tag === undefined) return undefined;
      const known = tags.get(right.body) ?? tag;
      tags.set(right.body, tag);
      return digestOf(known) === digestOf(tag) ? undefined : `another ETag than before with ${reply.body}`;
    },
  };
}
