import { createMcpHandler } from '@modelcontextprotocol/server';

import type { Caller } from '../caller.ts';
import { toolServer } from './server.ts';

/** The one place of MCP over HTTP: a server for each request, so that no two callers share anything. */
export function mcpEndpoint(version: string) {
  return async (message: object, headers: Headers, caller: Caller): Promise<Response> => {
    // Nothing that could be listened to ever changes, and the stream would stay open for ever.
    if (isListening(message, headers)) return methodNotFound(message);
    const handler = createMcpHandler(() => toolServer(version, async () => caller));
    return handler.fetch(new Request('http://localhost/mcp', { method: 'POST', headers }), { parsedBody: message });
  };
}

/** A header that says otherwise than the message is for the handler to refuse. */
function isListening(message: object, headers: Headers): boolean {
  const method = 'subscriptions/listen';
  return 'method' in message && message.method === method && headers.get('mcp-method') === method;
}

function methodNotFound(message: object): Response {
  const id = 'id' in message ? message.id : null;
  const error = { code: -32_601, message: 'Method not found' };
  return Response.json({ jsonrpc: '2.0', id, error }, { status: 404 });
}
