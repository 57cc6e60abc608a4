import type { Reply } from '../parts/caller.ts';
import type { Expected } from './expectations.ts';
import type { Project } from './model.ts';

/** An ETag without the revision of the thing, which moves where the representation may stay. */
export function digestOf(tag: string): string {
  return tag.replace(/^"\d+\./, '"');
}

/** Judges answers, and remembers which digest each body has in its ETags. */
export function openJudge(projects: readonly Project[]) {
  const digestOfBody = new Map<string, string>();
  const bodyOfDigest = new Map<string, string>();
  const tags: string[] = [];
  const tagObjection = (body: string, tag: string | undefined, isSeen: boolean): string | undefined => {
    if (tag === undefined) return 'has no ETag';
    const digest = digestOf(tag);
    if ((digestOfBody.get(body) ?? digest) !== digest) return 'has another ETag than before for the same body';
    if ((bodyOfDigest.get(digest) ?? body) !== body) return 'has the ETag of another body';
    // Without a body it may be the tag of another right answer.
    if (!isSeen) return undefined;
    digestOfBody.set(body, digest);
    if (!bodyOfDigest.has(digest)) tags.push(tag);
    bodyOfDigest.set(digest, body);
    return undefined;
  };
  return {
    /** Those that were given to somebody. */
    tags: tags as readonly string[],
    /** Why none of the right answers is this one; undefined where one is. */
    objection: (
      reply: Reply,
      expected: readonly Expected[],
      asked: { requestId: string; isHead: boolean; ifNoneMatch: string | undefined; project: string },
    ): string | undefined => {
      const tag = reply.head.find((line) => line.startsWith('etag: '))?.slice('etag: '.length);
      const head = reply.head.filter((line) => !line.startsWith('etag: '));
      let reason = 'is none of the right ones';
      for (const right of expected) {
        const isMatch =
          right.status === 200 &&
          right.isOfPost !== true &&
          asked.ifNoneMatch !== undefined &&
          (asked.ifNoneMatch === '*' || tag === asked.ifNoneMatch);
        const status = isMatch ? 304 : right.status;
        const lines = [...standingLines(asked.requestId), ...(isMatch ? [] : right.head)];
        const body = isMatch || asked.isHead ? '' : right.body;
        if (reply.status !== status || reply.body !== body || !agree(head, lines)) continue;
        if (right.status !== 200 || right.isUntagged === true) {
          if (tag === undefined) return undefined;
          reason = 'has an ETag';
          continue;
        }
        const objection = tagObjection(right.body, tag, body !== '');
        if (objection === undefined) return undefined;
        reason = objection;
      }
      const foreign = projects.find(({ id }) => id !== asked.project && isAbout(reply.body, id));
      return foreign ? `shows people of ${foreign.id}` : reason;
    },
  };
}

/** The headers that every answer begins with. */
export function standingLines(requestId: string): string[] {
  return [
    'cache-control: private, no-store',
    'vary: Authorization',
    'x-content-type-options: nosniff',
    `x-request-id: ${requestId}`,
  ];
}

/** Name, value and order; of those that end it and tell of the moment and the connection only that they are there. */
export function agree(head: readonly string[], lines: readonly string[]): boolean {
  const all = [...lines, 'Date', 'Connection: keep-alive', 'Keep-Alive'];
  return (
    head.length === all.length &&
    head.every((line, index) => (/^(Date|Keep-Alive): ./.exec(line)?.[1] ?? line) === all[index])
  );
}

// Every text of everybody made up says whose he is.
function isAbout(body: string, projectId: string): boolean {
  return new RegExp(`\\b${projectId}\\b`).test(body);
}
