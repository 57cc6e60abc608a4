import type { Asked } from '../parts/api.ts';
import { headerOf } from '../parts/api.ts';
import type { Reply } from '../parts/caller.ts';

/** Puts a request, with the status that is right; the data of the answer. */
export type Ask = (
  asked: Asked,
  status: number,
) => Promise<{ reply: Reply; data: Record<string, never> & { id: string } }>;

export const everything = 'include=details,external_id,attributes,tags,updated_at';
const json = (value: object) => JSON.stringify(value);

export function asksOf(ask: Ask) {
  const get = async (path: string, status = 200) => {
    const { reply } = await ask({ method: 'GET', path }, status);
    const tag = headerOf(reply, 'etag');
    if (tag !== undefined) await ask({ method: 'GET', path, ifNoneMatch: tag }, 304);
  };
  const post = (path: string, body: object, status: number, idempotencyKey?: string) =>
    ask({ method: 'POST', path, body: json(body), idempotencyKey }, status);
  const patch = (path: string, body: object, status: number, ifMatch?: string) =>
    ask({ method: 'PATCH', path, body: json(body), ifMatch }, status);
  return { ask, get, post, patch };
}

export type Asks = ReturnType<typeof asksOf>;
