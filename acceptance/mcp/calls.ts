import type { Caller } from '../parts/caller.ts';

/** What a tool has answered, or why there was no result. */
export interface Result {
  /** The whole answer as it came. */
  body: string;
  isError: boolean;
  text: string;
  data: unknown;
}

const modern = '2026-07-28';
const meta = {
  'io.modelcontextprotocol/protocolVersion': modern,
  'io.modelcontextprotocol/clientInfo': { name: 'acceptance', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

interface Message {
  method: 'tools/call' | 'tools/list';
  name?: string;
  args?: object;
  /** By the revision of 2026-07-28, else as clients of the one before do. */
  isModern: boolean;
}

/** Sends a message with a key; throws where the answer is none of the protocol. */
export async function send(caller: Caller, token: string, { method, name, args, isModern }: Message) {
  const params = { ...(name !== undefined && { name, arguments: args }), ...(isModern && { _meta: meta }) };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const ofRevision = [
    `Mcp-Protocol-Version: ${modern}`,
    `Mcp-Method: ${method}`,
    ...(name === undefined ? [] : [`Mcp-Name: ${name}`]),
  ];
  const lines = [
    'POST /mcp HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...(isModern ? ofRevision : []),
  ];
  const reply = await caller.ask(lines.map((line) => `${line}\r\n`).join(''), { body });
  const text = /^data: (.*)$/m.exec(reply.body)?.[1] ?? reply.body;
  const answer = JSON.parse(text) as { result?: Record<string, unknown>; error?: { code: number } };
  if (reply.status !== 200 && !answer.error) throw new Error(`${reply.status} ${reply.body}`);
  return { body: reply.body, ...answer };
}

export async function callTool(caller: Caller, token: string, message: Omit<Message, 'method'>): Promise<Result> {
  const { body, result, error } = await send(caller, token, { ...message, method: 'tools/call' });
  if (!result) return { body, isError: true, text: `Error ${error?.code}`, data: undefined };
  const [content] = result['content'] as { text: string }[];
  return {
    body,
    isError: result['isError'] === true,
    text: content?.text ?? '',
    data: result['structuredContent'],
  };
}

export async function toolsOf(caller: Caller, token: string, isModern: boolean): Promise<string[]> {
  const { result } = await send(caller, token, { method: 'tools/list', isModern });
  return ((result?.['tools'] ?? []) as { name: string }[]).map(({ name }) => name);
}
