import { openCaller, type Reply } from './caller.ts';

/** A request by a key, past the key. */
export interface Asked {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  /** JSON, as it is sent. */
  body?: string | undefined;
  idempotencyKey?: string | undefined;
  requestId?: string | undefined;
}

/** Some connections of one key, each asked in its turn. */
export interface Api extends Disposable {
  /** Rejects where the connection ends without the answer. */
  ask(asked: Asked): Promise<Reply>;
  /** The data of an answer that has to be a success. */
  data<T>(asked: Asked): Promise<T>;
}

export async function openApi(port: number, token: string, connections = 8): Promise<Api> {
  const callers = await Promise.all(Array.from({ length: connections }, () => openCaller(port)));
  let turn = 0;
  const ask: Api['ask'] = async (asked) => {
    const caller = callers[turn++ % callers.length];
    if (!caller) throw new Error('there is no connection');
    return caller.ask(headOf(asked, token), { body: asked.body ?? '' });
  };
  return {
    ask,
    data: async <T>(asked: Asked) => {
      const { status, body } = await ask(asked);
      if (status >= 300) throw new Error(`${asked.method} ${asked.path} was answered with ${status} ${body}`);
      return (JSON.parse(body) as { data: T }).data;
    },
    [Symbol.dispose]: () => {
      for (const caller of callers) caller[Symbol.dispose]();
    },
  };
}

function headOf(asked: Asked, token: string): string {
  const { method, path, body, idempotencyKey, requestId } = asked;
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: roster.test', `Authorization: Bearer ${token}`];
  if (body !== undefined) lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`);
  if (idempotencyKey !== undefined) lines.push(`Idempotency-Key: ${idempotencyKey}`);
  if (requestId !== undefined) lines.push(`X-Request-Id: ${requestId}`);
  return lines.map((line) => `${line}\r\n`).join('');
}

/** The value of a header; undefined where there is none. */
export function headerOf({ head }: Pick<Reply, 'head'>, name: string): string | undefined {
  const line = head.find((one) => one.toLowerCase().startsWith(`${name}: `));
  return line?.slice(name.length + 2);
}

/** A failure's code. */
export function codeOf({ body }: Pick<Reply, 'body'>): string | undefined {
  return (JSON.parse(body) as { code?: string }).code;
}
