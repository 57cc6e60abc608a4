import type { FastifyInstance } from 'fastify';

import { methodNotAllowed } from './failures.ts';
import { METHODS } from './node-http.ts';

const answered = new Set(['GET', 'HEAD', 'CONNECT']);

/** Collects the paths that will have a GET. Call it before the routes. */
export function collectPaths(app: FastifyInstance): ReadonlySet<string> {
  const paths = new Set<string>();
  app.addHook('onRoute', ({ method, url }) => {
    if (method === 'GET') paths.add(url);
  });
  return paths;
}

/** Answers 405 with `Allow` to every other method on these paths. Call it after the routes. */
export function refuseOtherMethods(app: FastifyInstance, paths: ReadonlySet<string>): void {
  const others = METHODS.filter((method) => !answered.has(method));
  for (const method of others) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  }
  app.after(() => {
    for (const url of paths) {
      app.route({ method: others, url, schema: { hide: true }, onRequest: refuse, handler: refuse });
    }
  });
}

async function refuse(): Promise<never> {
  throw methodNotAllowed();
}
