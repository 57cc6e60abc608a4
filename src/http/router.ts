import FindMyWay from 'find-my-way';

import { HttpError } from './errors.ts';
import type { Exchange } from './exchange.ts';
import type { Pipeline } from './pipeline.ts';
import { headerBytesMax } from './request-checks.ts';
import type { Route } from './routes.ts';

export interface Page {
  readonly path: string;
  /** Missing means GET. */
  readonly method?: 'POST';
  /** `version` is the data version of this turn, where the engine has one. */
  readonly serve: (exchange: Exchange, version: number | undefined) => Promise<void>;
}

export type Target = { readonly route: Route; readonly serve: Pipeline } | { readonly page: Page };

/** Routes, and the pipeline that serves them. */
export interface ServedRoutes {
  readonly routes: readonly Route[];
  readonly serve: Pipeline;
}

export interface Found {
  target: Target;
  params: Readonly<Record<string, string | undefined>>;
}

export type Router = ReturnType<typeof buildRouter>;

// The router wants a handler; ours is in the target.
const nothing = () => undefined;
const verbs = ['GET', 'POST', 'PATCH', 'DELETE'] as const;

export function buildRouter(served: readonly ServedRoutes[], pages: readonly Page[]) {
  const router = FindMyWay({ maxParamLength: headerBytesMax, ignoreTrailingSlash: true });
  for (const { routes, serve } of served) {
    for (const route of routes) router.on(route.method, route.path, nothing, { route, serve } satisfies Target);
  }
  for (const page of pages) router.on(page.method ?? 'GET', page.path, nothing, { page } satisfies Target);

  const look = (method: (typeof verbs)[number], path: string): Found | undefined => {
    const found = router.find(method, path);
    // A path in which an id is missing does not exist, though the router finds one for it.
    if (!found || Object.values(found.params).includes('')) return undefined;
    return { target: found.store as Target, params: found.params };
  };
  const methodsOf = (path: string) => {
    // The router takes the asterisk of OPTIONS for the root.
    const found: string[] = path === '*' ? [] : verbs.filter((method) => look(method, path));
    return found.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  };
  return {
    /** Throws `unknown_path`, or `method_not_allowed` with the methods that the path has. */
    find: (method: string, path: string): Found => {
      const verb = verbs.find((one) => one === (method === 'HEAD' ? 'GET' : method));
      const found = verb && look(verb, path);
      if (found) return found;
      const allowed = methodsOf(path);
      if (allowed.length === 0) throw new HttpError('unknown_path');
      throw new HttpError('method_not_allowed', ['allow', allowed.join(', ')]);
    },
    methodsOf,
  };
}
