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

/** Holds answers for as long as the data version is the same: until then no process has committed anything. */
export function createResponseCache() {
  const answers = new LRUCache<string, Rendered & { version: number }>({
    maxSize: bytesMax,
    sizeCalculation: ({ text }, name) => text.length + name.length + bytesBeside,
  });
  const wasGivenBefore = rememberTags();
  return {
    /** The answer to this project's GET, if the data version is still the same. */
    find: (projectId: string, url: string, version: number): Rendered | undefined => {
      const answer = answers.get(nameOf(projectId, url));
      return answer?.version === version ? answer : undefined;
    },
    /** Keeps an answer that was found after the store told this version, if it was given before. */
    learn: (projectId: string, url: string, version: number, answer: Rendered): void => {
      if (wasGivenBefore(answer.etag)) answers.set(nameOf(projectId, url), { ...answer, version });
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
