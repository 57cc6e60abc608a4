import type { IncomingMessage } from 'node:http';

import { type Caller, run } from '../operation.ts';
import { readMessage } from './body.ts';
import { HttpError } from './errors.ts';
import { admitKey, type GateParts } from './gate.ts';
import type { IsOwn } from './origins.ts';
import type { Endpoint } from './router.ts';

export type McpEndpoint = (message: object, headers: Headers, caller: Caller) => Promise<Response>;

/** `POST /mcp`: identify, limit, Host and Origin, message. Errors before the protocol have the envelope of `/v2`. */
export function mcpPage(parts: GateParts, endpoint: McpEndpoint, isOwn: IsOwn): Endpoint {
  return {
    path: '/mcp',
    method: 'POST',
    serve: async (exchange) => {
      const actor = await admitKey(parts, exchange);
      const { request } = exchange.arrival;
      if (!isOwn(exchange)) throw new HttpError('forbidden_origin');
      const message = await readMessage(exchange);
      const caller: Caller = {
        scopes: actor.scopes,
        run: async (operation, input, { isDry = false }) => {
          exchange.throwIfGivenUp();
          exchange.isWriting = operation.kind === 'write' && !isDry;
          try {
            return await run(operation, parts.store, actor, input, { signal: exchange.signal, isDry });
          } catch (error) {
            exchange.noteError(error);
            throw error;
          }
        },
      };
      const response = await endpoint(message, headersOf(request), caller);
      const type = response.headers.get('content-type');
      const body = type === null ? undefined : await response.text();
      exchange.send(response.status, type === null ? [] : ['content-type', type], body);
    },
  };
}

/** The headers of the protocol: the library must not see the key. */
function headersOf({ headers }: IncomingMessage): Headers {
  const own = Object.entries(headers).filter(([name]) => /^(accept$|content-type$|mcp-)/.test(name));
  return new Headers(own.map(([name, value]) => [name, String(value)]));
}
