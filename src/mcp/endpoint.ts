import { createMcpHandler } from '@modelcontextprotocol/server';

import type { Caller } from '../operation.ts';
import { toolServer } from './server.ts';

/** MCP over HTTP: a new server for each request, so that callers share nothing. */
export function mcpEndpoint(version: string) {
  return async (message: object, headers: Headers, caller: Caller): Promise<Response> => {
    // Roster has nothing to notify about, and the stream would stay open for ever.
    if (isListening(message, headers)) return methodNotFound(message);
    let failure = new Error('the protocol could not be served');
    const onerror = (error: Error) => void (failure = error);
    const handler = createMcpHandler(() => toolServer(version, async () => caller), { onerror });
    const request = new Request('http://localhost/mcp', { method: 'POST', headers });
    const response = await handler.fetch(request, { parsedBody: message });
    // The library reports the cause only to onerror.
    if (response.status === 500) throw failure;
    return response;
  };
}

/** If header and message differ, the handler rejects the request. */
function isListening(message: object, headers: Headers): boolean {
  const method = 'subscriptions/listen';
  return 'method' in message && message.method === method && headers.get('mcp-method') === method;
}

function methodNotFound(message: object): Response {
  const id = 'id' in message ? message.id : null;
  const error = { code: -32_601, message: 'Method not found' };
  return Response.json({ jsonrpc: '2.0', id, error }, { status: 404 });
}
