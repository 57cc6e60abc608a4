import type { OutgoingHttpHeaders } from 'node:http';

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';

import type { Store } from '../store.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the store told when the request came; undefined where nothing can be remembered. */
    storeVersion: number | undefined;
  }
}

/** About 40,000 contacts. */
const rememberedBytesMax = 24 * 1024 * 1024;
/** What an answer takes beside its texts. */
const bytesBeside = 400;

/** A body as it was sent, and what belongs to it. */
interface Answer {
  version: number;
  body: string;
  encoding: 'latin1' | 'utf8';
  headers: Record<'content-type' | 'content-length' | 'etag', string>;
}

/** Asks the store for its version, before anything else is asked. Call it before the guard. */
export function noteVersion(scope: FastifyInstance, store: Pick<Store, 'version'>): void {
  scope.decorateRequest('storeVersion', undefined);
  scope.addHook('onRequest', (request, _reply, done) => {
    try {
      request.storeVersion = store.version();
    } catch {
      // Whoever asks the store for more is told why it does not answer.
    }
    done();
  });
}

/**
 * Gives an answer again to whoever of the project asks for the same URL, while the store's version is what it was
 * before the answer was found: then nothing has been committed since, by any process. Call it after the guard, which
 * every request passes, and after what makes the ETag.
 */
export function repeatAnswers(scope: FastifyInstance): void {
  const answers = new LRUCache<string, Answer>({
    maxSize: rememberedBytesMax,
    sizeCalculation: ({ body }, key) => body.length + key.length + bytesBeside,
  });
  scope.addHook('onRequest', (request, reply, done) => {
    if (isRepeatable(request)) {
      const answer = answers.get(keyOf(request));
      if (answer?.version === request.storeVersion) {
        repeat(answer, reply);
        return;
      }
    }
    done();
  });
  scope.addHook('onSend', (request, reply, payload, done) => {
    if (reply.statusCode === 200 && typeof payload === 'string' && isRepeatable(request)) {
      answers.set(keyOf(request), toAnswer(request.storeVersion, payload, reply));
    }
    done(null, payload);
  });
}

function isRepeatable(request: FastifyRequest): request is FastifyRequest & { storeVersion: number } {
  return (
    request.storeVersion !== undefined &&
    request.method === 'GET' &&
    request.headers['if-none-match'] === undefined
  );
}

// A URL holds no line break, so no two pairs of project and URL make one key.
function keyOf(request: FastifyRequest): string {
  return `${request.caller?.projectId}\n${request.url}`;
}

function toAnswer(version: number, body: string, reply: FastifyReply): Answer {
  const bytes = Buffer.byteLength(body);
  return {
    version,
    body,
    // ASCII needs no transcoding on its way out.
    encoding: bytes === body.length ? 'latin1' : 'utf8',
    headers: {
      'content-type': String(reply.getHeader('content-type')),
      'content-length': String(bytes),
      etag: String(reply.getHeader('etag')),
    },
  };
}

/** Past Fastify's reply, which would serialize, hash and measure the same body again. */
function repeat({ headers, body, encoding }: Answer, reply: FastifyReply): void {
  reply.hijack();
  reply.raw.writeHead(200, { ...(reply.getHeaders() as OutgoingHttpHeaders), ...headers });
  reply.raw.end(body, encoding);
}
