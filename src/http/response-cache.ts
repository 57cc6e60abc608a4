import { LRUCache } from 'lru-cache';

import type { Body } from './exchange.ts';
import { believedMs } from './project-versions.ts';

/** About 25,000 contacts. */
const bytesMax = 16 * 1024 * 1024;
const bytesBeside = 400;

export interface Rendered extends Body {
  readonly text: string;
  readonly etag: string;
}

export type ResponseCache = ReturnType<typeof createResponseCache>;

/** Where the engine has no data version, that of a project costs a statement: worth it for long answers only. */
const longMin = 2_000;

interface Kept extends Rendered {
  /** The version of the project, and the data version, told before it was read. */
  version: string | undefined;
  at: number | undefined;
  readAt: number;
}

/**
 * Holds answers for as long as nothing has been committed. Once something has, or where nobody can tell, the version of the
 * project decides, for a while.
 */
export function createResponseCache(now: () => number = () => performance.now()) {
  const answers = new LRUCache<string, Kept>({
    maxSize: bytesMax,
    sizeCalculation: ({ text }, name) => text.length + name.length + bytesBeside,
  });
  const wasGivenBefore = rememberTags();
  return {
    /** The answer to this project's GET, if it is still right at these versions, of the project and of the data. */
    find: (projectId: string, url: string, version: string, at: number | undefined): Rendered | undefined => {
      const answer = answers.get(nameOf(projectId, url));
      if (answer?.version !== version) return undefined;
      const isOfNow = at !== undefined && answer.at === at;
      return isOfNow || now() - answer.readAt < believedMs ? answer : undefined;
    },
    /** Whether there is an answer of any version. */
    has: (projectId: string, url: string): boolean => answers.has(nameOf(projectId, url)),
    /**
     * Keeps an answer that was given before and read after the store told these versions. Where the version of the project was
     * not asked for, only a long answer is kept.
     */
    learn: (
      projectId: string,
      url: string,
      answer: Rendered,
      version: string | undefined,
      at: number | undefined,
    ): void => {
      if (version === undefined && answer.text.length < longMin) return;
      if (!wasGivenBefore(answer.etag)) return;
      answers.set(nameOf(projectId, url), { ...answer, version, at, readAt: now() });
    },
  };
}

function nameOf(projectId: string, url: string): string {
  return `${projectId}\n${url}`;
}

const tagsMax = 2 ** 16;
const tagCharactersUsed = 6;

/**
 * Tells whether an ETag was given lately, by 65,536 slots. Answers that are asked for once would cost 15 µs each in
 * collected garbage, and push out those that are asked for often.
 */
function rememberTags(): (etag: string) => boolean {
  const slots = new Int32Array(tagsMax);
  return (etag) => {
    let number = 0;
    // Use the digest at the end: revisions share a beginning.
    for (let i = 2; i <= tagCharactersUsed + 1; i++)
      number = (Math.imul(number, 64) + etag.charCodeAt(etag.length - i)) | 0;
    const slot = number & (tagsMax - 1);
    const wasGiven = slots[slot] === number;
    slots[slot] = number;
    return wasGiven;
  };
}
