import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Writes {
  /** Ends them; the ids of what was acknowledged, and the longest time without an answer. */
  stop(): Promise<{ acknowledged: string[]; longestGapMs: number }>;
}

/** Fifty writes a second. One without an answer is sent again with the same key, as a careful caller does. */
export function startWrites(address: string, token: string, path: string): Writes {
  const acknowledged: string[] = [];
  const gap = { last: performance.now(), longest: 0 };
  const underWay = new Set<Promise<void>>();
  const write = async (name: string) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    };
    for (;;) {
      const id = await createContact(`${address}${path}`, headers, name);
      if (id !== undefined) {
        acknowledged.push(id);
        gap.longest = Math.max(gap.longest, performance.now() - gap.last);
        gap.last = performance.now();
        return;
      }
      await sleep(200);
    }
  };
  let count = 0;
  const timer = setInterval(() => {
    const one = write(`Written ${++count}`).finally(() => underWay.delete(one));
    underWay.add(one);
  }, 20);
  return {
    stop: async () => {
      clearInterval(timer);
      await Promise.all(underWay);
      return { acknowledged, longestGapMs: Math.round(gap.longest) };
    },
  };
}

/** Undefined where there is no answer, or one that asks to try again later. */
async function createContact(url: string, headers: Record<string, string>, name: string): Promise<string | undefined> {
  const body = JSON.stringify({ properties: { first_name: name } });
  const answer = await fetch(url, { method: 'POST', headers, body }).catch(() => undefined);
  if (answer === undefined || answer.status >= 500) return undefined;
  const { data } = (await answer.json()) as { data?: { id: string } };
  if (answer.status !== 201 || !data) throw new Error(`A write got ${answer.status}.`);
  return data.id;
}
