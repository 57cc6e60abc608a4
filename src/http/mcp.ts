import type { IncomingMessage } from 'node:http';

import type { Caller } from '../caller.ts';
import { run } from '../operation.ts';
import { actorOf, admit } from './admit.ts';
import { readMessage } from './body.ts';
import { HttpError } from './errors.ts';
import { bodyOf } from './exchange.ts';
import type { IsOwn } from './own-origins.ts';
import { receive } from './perform.ts';
import type { PipelineParts } from './pipeline.ts';
import type { Page } from './router.ts';

/** Answers an MCP message. The caller is identified, and the request counted. */
export type McpEndpoint = (message: object, headers: Headers, caller: Caller) => Promise<Response>;

/** `POST /mcp`: identify, limit, Host and Origin, message. Errors before the protocol have the envelope of `/v2`. */
export function mcpPage(parts: PipelineParts, endpoint: McpEndpoint, isOwn: IsOwn): Page {
  return {
    path: '/mcp',
    method: 'POST',
    serve: async (exchange) => {
      const key = await admit(parts, exchange);
      const { request } = exchange.arrival;
      if (!isOwn(request, exchange)) throw new HttpError('forbidden_origin');
      const message = await receive(exchange, readMessage);
      const actor = actorOf(key, exchange.id);
      const caller: Caller = {
        scopes: actor.scopes,
        run: async (operation, input, { isDry = false }) => {
          exchange.throwIfGivenUp();
          exchange.isWriting = operation.kind === 'write' && !isDry;
          try {
            return await run(operation, parts.store, actor, input, { signal: exchange.signal, isDry });
          } catch (error) {
            parts.sender.noteError(exchange, error);
            throw error;
          }
        },
      };
      const response = await endpoint(message, headersOf(request), caller);
      const type = response.headers.get('content-type');
      // An event stream ends with its one answer, so text() returns.
      const body = type === null ? undefined : bodyOf(await response.text());
      parts.sender.send(exchange, response.status, type === null ? [] : ['content-type', type], body);
    },
  };
}

/** The headers of the protocol: the library must not see the key. */
function headersOf({ headers }: IncomingMessage): Headers {
  const own = Object.entries(headers).filter(([name]) => /^(accept$|content-type$|mcp-)/.test(name));
  return new Headers(own.map(([name, value]) => [name, String(value)]));
}
