import { LRUCache } from 'lru-cache';

import type { Body } from './exchange.ts';

/** About 25,000 contacts. */
const bytesMax = 16 * 1024 * 1024;
const bytesBeside = 400;

export interface Rendered extends Body {
  readonly text: string;
  readonly etag: string;
}

export type ResponseCache = ReturnType<typeof createResponseCache>;

/** The data version of the store, or as text that of a project. */
type Version = number | string;

/** The version of a project costs a statement, which is worth it for long answers only. */
const longMin = 2_000;

/**
 * Holds answers for as long as the version is the same: until then no process has committed anything, or anything to the
 * project.
 */
export function createResponseCache() {
  const answers = new LRUCache<string, Rendered & { version: Version | undefined }>({
    maxSize: bytesMax,
    sizeCalculation: ({ text }, name) => text.length + name.length + bytesBeside,
  });
  const wasGivenBefore = rememberTags();
  return {
    /** The answer to this project's GET, if the version is still the same. */
    find: (projectId: string, url: string, version: Version): Rendered | undefined => {
      const answer = answers.get(nameOf(projectId, url));
      return answer?.version === version ? answer : undefined;
    },
    /** Whether there is an answer of any version. */
    has: (projectId: string, url: string): boolean => answers.has(nameOf(projectId, url)),
    /** Keeps an answer that was given before and read after the store told this version; without one only if it is long. */
    learn: (projectId: string, url: string, version: Version | undefined, answer: Rendered): void => {
      if (version === undefined && answer.text.length < longMin) return;
      if (!wasGivenBefore(answer.etag)) return;
      answers.set(nameOf(projectId, url), { ...answer, version });
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
    for (let i = 1; i <= tagCharactersUsed; i++) number = (Math.imul(number, 64) + etag.charCodeAt(i)) | 0;
    const slot = number & (tagsMax - 1);
    const wasGiven = slots[slot] === number;
    slots[slot] = number;
    return wasGiven;
  };
}
