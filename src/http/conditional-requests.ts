import { hash } from 'node:crypto';
import { Readable } from 'node:stream';

import type { FastifyInstance, RouteOptions } from 'fastify';

import { notModified } from './openapi/responses.ts';

/** The strong ETag of a body. */
export function etagOf(body: string): string {
  return `"${hash('sha256', body, 'base64url').slice(0, 27)}"`;
}

/** Gives every successful answer of the scope its ETag, and 304 to a caller that has it already. */
export function answerConditionally(scope: FastifyInstance): void {
  scope.addHook('onRoute', documentConditions);
  scope.addHook('onSend', async (request, reply, payload) => {
    if (reply.statusCode !== 200 || typeof payload !== 'string') return payload;
    const etag = etagOf(payload);
    reply.header('etag', etag);
    if (!matches(request.headers['if-none-match'], etag)) return payload;
    reply.code(304).removeHeader('content-type').removeHeader('content-length');
    // Fastify would measure a text for HEAD, and a Content-Length of 0 would be a lie (RFC 9110 §8.6).
    return request.method === 'HEAD' ? Readable.from([]) : null;
  });
}

// RFC 9110 §13.1.2: a list, compared weakly. Our tags hold no comma.
function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

function documentConditions(route: RouteOptions): void {
  route.schema = {
    ...route.schema,
    response: { ...(route.schema?.response as object), 304: notModified },
  };
}
