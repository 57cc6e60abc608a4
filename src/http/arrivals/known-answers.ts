import { LRUCache } from 'lru-cache';

/** About 25,000 contacts. */
const bytesMax = 16 * 1024 * 1024;
/** What an answer takes beside its texts. */
const bytesBeside = 400;

/** A body as it is sent, and what belongs to it. */
export interface KnownAnswer {
  body: string;
  etag: string;
  encoding: 'latin1' | 'utf8';
  bytes: number;
}

export interface KnownAnswers {
  /** What was answered to this project's question, if the store's version is still the same. */
  find(projectId: string, url: string, version: number): KnownAnswer | undefined;
  /** Keeps an answer that was found after the store told this version, if it was given before. */
  learn(projectId: string, url: string, version: number, answer: KnownAnswer): void;
}

/**
 * Rendered answers, of which one holds while the store's version is what it was before it was found: then nothing
 * has been committed since, by any process.
 */
export function knownAnswers(): KnownAnswers {
  const answers = new LRUCache<string, KnownAnswer & { version: number }>({
    maxSize: bytesMax,
    sizeCalculation: ({ body }, name) => body.length + name.length + bytesBeside,
  });
  const wasGivenBefore = rememberTags();
  return {
    find: (projectId, url, version) => {
      const answer = answers.get(nameOf(projectId, url));
      return answer?.version === version ? answer : undefined;
    },
    learn: (projectId, url, version, answer) => {
      if (wasGivenBefore(answer.etag)) answers.set(nameOf(projectId, url), { ...answer, version });
    },
  };
}

/** An answer of this body. */
export function toAnswer(body: string, etag: string): KnownAnswer {
  const bytes = Buffer.byteLength(body);
  // ASCII needs no transcoding on its way out.
  return { body, etag, bytes, encoding: bytes === body.length ? 'latin1' : 'utf8' };
}

// A URL holds no line break, so no two pairs of project and URL have one name.
function nameOf(projectId: string, url: string): string {
  return `${projectId}\n${url}`;
}

const tagsMax = 2 ** 16;
const tagCharactersUsed = 6;

/**
 * Tells of an ETag whether it was given lately: one of the last 65,000 or so, not all of them. Keeping what is asked
 * for once and never again would cost each answer 15 µs in collected garbage, and push out what is asked for often.
 */
function rememberTags(): (etag: string) => boolean {
  const places = new Int32Array(tagsMax);
  return (etag) => {
    let number = 0;
    for (let i = 1; i <= tagCharactersUsed; i++) number = (Math.imul(number, 64) + etag.charCodeAt(i)) | 0;
    const place = number & (tagsMax - 1);
    const wasGiven = places[place] === number;
    places[place] = number;
    return wasGiven;
  };
}
