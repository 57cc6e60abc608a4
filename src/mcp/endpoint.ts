import { createMcpHandler } from '@modelcontextprotocol/server';

import type { Caller } from '../caller.ts';
import { toolServer } from './server.ts';

/** The one place of MCP over HTTP: a server for each request, so that no two callers share anything. */
export function mcpEndpoint(version: string) {
  return async (message: object, headers: Headers, caller: Caller): Promise<Response> => {
    // Nothing that could be listened to ever changes, and the stream would stay open for ever.
    if (isListening(message, headers)) return methodNotFound(message);
    let failure = new Error('the protocol could not be served');
    const onerror = (error: Error) => void (failure = error);
    const handler = createMcpHandler(() => toolServer(version, async () => caller), { onerror });
    const request = new Request('http://localhost/mcp', { method: 'POST', headers });
    const response = await handler.fetch(request, { parsedBody: message });
    // The library tells nobody else.
    if (response.status === 500) throw failure;
    return response;
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
