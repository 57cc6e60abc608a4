import FindMyWay from 'find-my-way';

import { HttpError } from './errors.ts';
import type { Exchange } from './exchange.ts';
import { headerBytesMax } from './request-checks.ts';
import type { Method, Params } from './routes.ts';

export interface Endpoint {
  readonly path: string;
  /** Missing means GET. */
  readonly method?: Method;
  readonly serve: (exchange: Exchange, params: Params) => Promise<void>;
}

export type Router = ReturnType<typeof buildRouter>;

// The router wants a handler; ours is in the store.
const nothing = () => undefined;
const verbs = ['GET', 'POST', 'PATCH', 'DELETE'] as const;

const ofChatling =
  /^\/v2\/(?:chatbots\/[^/]+\/)?(?:ai|chat|conversations|duplicate|kb|knowledge-base|languages|messages|models|usage\/(?:ai-credits|email-credits|knowledge-base))(?![^/?])/;
const notHere = 'Roster keeps people only; this path of Chatling is not part of it';
const twoSlashes = 'No path has two slashes in a row; /docs lists all paths';

export function buildRouter(endpoints: readonly Endpoint[]) {
  const router = FindMyWay({ maxParamLength: headerBytesMax, ignoreTrailingSlash: true });
  for (const endpoint of endpoints) router.on(endpoint.method ?? 'GET', endpoint.path, nothing, endpoint);

  const look = (method: Method, path: string): { endpoint: Endpoint; params: Params } | undefined => {
    // Keep `//`: the router would take it for the root.
    const found = path.startsWith('//') ? null : router.find(method, path);
    // A path in which an id is missing does not exist, though the router finds one for it.
    if (!found || Object.values(found.params).includes('')) return undefined;
    return { endpoint: found.store as Endpoint, params: found.params };
  };
  const methodsOf = (path: string) => {
    // The router takes the asterisk of OPTIONS for the root.
    const found: string[] = path === '*' ? [] : verbs.filter((method) => look(method, path));
    return found.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  };
  return {
    find: (method: string, path: string) => {
      const verb = verbs.find((one) => one === (method === 'HEAD' ? 'GET' : method));
      const found = verb && look(verb, path);
      if (found) return found;
      const allowed = methodsOf(path);
      if (allowed.length === 0) {
        const message = ofChatling.test(path) ? notHere : path.includes('//') ? twoSlashes : undefined;
        throw new HttpError('unknown_path', [], { message });
      }
      const methodsThere = allowed.join(', ');
      const message = `This path does not answer this method; it answers ${methodsThere}`;
      throw new HttpError('method_not_allowed', ['allow', methodsThere], { message });
    },
    methodsOf,
  };
}
