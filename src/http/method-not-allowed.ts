import { METHODS } from 'node:http';

import type { FastifyInstance } from 'fastify';

import { HttpFailure } from './failures.ts';

const answered = new Set(['GET', 'HEAD', 'CONNECT']);

/** Answers 405 with `Allow` to every other method on every path that has a GET. Call it before the routes. */
export function refuseOtherMethods(app: FastifyInstance): void {
  const paths = new Set<string>();
  const others = METHODS.filter((method) => !answered.has(method));
  for (const method of others) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  }
  app.addHook('onRoute', ({ method, url }) => {
    if (method === 'GET') paths.add(url);
  });
  app.after(() => {
    for (const url of paths) {
      app.route({ method: others, url, schema: { hide: true }, onRequest: refuse, handler: refuse });
    }
  });
}

async function refuse(): Promise<never> {
  throw new HttpFailure('method_not_allowed', { allow: 'GET, HEAD' });
}
