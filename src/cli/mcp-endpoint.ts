import type { McpEndpoint } from '../http/mcp.ts';
import { once } from '../values/once.ts';
import { packageVersion } from './parts.ts';

const loaded = once(async () => (await import('../mcp/endpoint.ts')).mcpEndpoint(packageVersion()));

/** The library takes a megabyte, and is loaded with the first message. */
export const mcp: McpEndpoint = async (message, headers, caller) => (await loaded())(message, headers, caller);
