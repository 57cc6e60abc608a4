import type { FastifyReply } from 'fastify';

/** What every answer carries: personal data is kept by nobody on the way, and no browser guesses a type. */
export const standingHeaders = {
  'cache-control': 'private, no-store',
  vary: 'Authorization',
  'x-content-type-options': 'nosniff',
} as const;

export function setStandingHeaders(reply: FastifyReply, requestId: string): void {
  reply.headers(standingHeaders).header('x-request-id', requestId);
}
