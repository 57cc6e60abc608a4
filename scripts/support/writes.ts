import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Writes {
  /** Ends the writes. Returns the acknowledged ids, and the longest time without an answer. Throws if a write was refused. */
  stop(): Promise<{ acknowledged: string[]; longestGapMs: number }>;
}

const answerMs = 60_000;
/** An upgrade may migrate a million contacts meanwhile. */
const patienceMs = 900_000;

/** Sends fifty writes a second. Repeats an unanswered one with the same key, as a careful caller does. */
export function startWrites(address: string, token: string, path: string): Writes {
  const acknowledged: string[] = [];
  const gap = { last: performance.now(), longest: 0 };
  const underWay = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const write = async (name: string) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    };
    for (const end = performance.now() + patienceMs; performance.now() < end; await sleep(200)) {
      const id = await createContact(`${address}${path}`, headers, name);
      if (id === undefined) continue;
      acknowledged.push(id);
      gap.longest = Math.max(gap.longest, performance.now() - gap.last);
      gap.last = performance.now();
      return;
    }
    throw new Error('A write got no answer.');
  };
  let count = 0;
  const timer = setInterval(() => {
    const one = write(`Written ${++count}`)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => underWay.delete(one));
    underWay.add(one);
  }, 20);
  return {
    stop: async () => {
      clearInterval(timer);
      await Promise.all(underWay);
      if (failures.length > 0) throw failures[0];
      return { acknowledged, longestGapMs: Math.round(gap.longest) };
    },
  };
}

/** Undefined without an answer, or with one that asks to try again later. */
async function createContact(url: string, headers: Record<string, string>, name: string): Promise<string | undefined> {
  const body = JSON.stringify({ properties: { first_name: name } });
  const asked = fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(answerMs) });
  const answer = await asked
    .then(async (one) => ({ status: one.status, text: await one.text() }))
    .catch(() => undefined);
  if (answer === undefined || answer.status >= 500) return undefined;
  if (answer.status !== 201) throw new Error(`A write got ${answer.status}.`);
  return (JSON.parse(answer.text) as { data: { id: string } }).data.id;
}
