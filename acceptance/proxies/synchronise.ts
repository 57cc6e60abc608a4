import { RosterClient } from '../../clients/typescript/src/index.ts';
import type { seededRandom } from '../../test/support/random.ts';

interface Synchronisation {
  address: string;
  token: string;
  chatbotId: string;
  size: number;
  random: ReturnType<typeof seededRandom>;
}

export interface Synchronised {
  chatbotId: string;
  requests: number;
  failures: string[];
  /** The company that each person must have, by e-mail; undefined for a person who was deleted. */
  expected: Map<string, string | undefined>;
  /** Addresses that were created once without a key: at most one contact each, and exactly one where it was acknowledged. */
  plain: Map<string, boolean>;
  /** The sequences of the events, as a follower met them. */
  followed: string[];
  expectedEvents: number;
}

const bulkSize = 20;
const twiceOfHundred = 10;

/** Writes people as a CRM would, each in several steps, and follows the feed meanwhile. Every call has to succeed in the end. */
export async function synchronise({ address, token, chatbotId, size, random }: Synchronisation): Promise<Synchronised> {
  let requests = 0;
  const sending: typeof fetch = async (...given) => {
    requests++;
    // Somebody on the way sends it again at once; one of the two answers comes.
    const again = random.below(100) < twiceOfHundred ? fetch(...given).then((answer) => answer.text()) : undefined;
    again?.catch(() => undefined);
    return fetch(...given);
  };
  const options = { baseUrl: address, apiKey: token, retries: 100, retryDelayMaxMs: 1_000, timeoutMs: 10_000 };
  const client = new RosterClient({ ...options, fetch: sending });
  const made: Synchronised = {
    chatbotId,
    requests: 0,
    failures: [],
    expected: new Map(),
    plain: new Map(),
    followed: [],
    expectedEvents: 0,
  };
  const stopping = new AbortController();
  const writing = writeAll({ address, token, chatbotId, size }, client, made).finally(() => stopping.abort());
  await Promise.all([writing, follow(new RosterClient(options), stopping.signal, made.followed)]);
  return { ...made, requests };
}

async function writeAll(
  { address, token, chatbotId, size }: Omit<Synchronisation, 'random'>,
  client: RosterClient,
  made: Synchronised,
): Promise<void> {
  const emails = Array.from({ length: size }, (_, index) => `person${index}@example.com`);
  for (let from = 0; from < size; from += bulkSize) {
    const some = emails.slice(from, from + bulkSize);
    const items = some.map(
      (email) => ({ op: 'upsert', match: { email }, properties: { company: 'First Ltd' } }) as const,
    );
    await client.bulkContacts({ chatbotId, items });
    for (const email of some) made.expected.set(email, 'First Ltd');
  }
  for (const [index, email] of emails.entries()) {
    if (index % 4 === 1) {
      await client.upsertContact({ chatbotId, match: { email }, properties: { company: 'Second Ltd' } });
      made.expected.set(email, 'Second Ltd');
    } else if (index % 4 === 2) {
      const { contacts } = await client.lookUpContacts({ chatbotId, email });
      const [contact] = contacts;
      if (!contact) throw new Error(`${email} is not found`);
      await client.deleteContact({ chatbotId, contactId: contact.id });
      made.expected.set(email, undefined);
    } else if (index % 4 === 3) {
      const added = `added${index}@example.com`;
      await client.createContact({ chatbotId, properties: { email: added, company: 'New Ltd' } });
      made.expected.set(added, 'New Ltd');
      await createPlainly(`plain${index}@example.com`, { address, token, chatbotId }, made);
    }
  }
  made.expectedEvents = await eventsUntilCaughtUp(client, made.followed);
}

/** As an integration does that knows no Idempotency-Key and repeats nothing. */
async function createPlainly(
  email: string,
  { address, token, chatbotId }: Pick<Synchronisation, 'address' | 'token' | 'chatbotId'>,
  { plain }: Synchronised,
): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ properties: { email } });
  const answer = await fetch(`${address}/v2/chatbots/${chatbotId}/contacts`, { method: 'POST', headers, body }).catch(
    () => undefined,
  );
  await answer?.text().catch(() => undefined);
  plain.set(email, answer?.status === 201);
}

async function follow(client: RosterClient, signal: AbortSignal, followed: string[]): Promise<void> {
  try {
    for await (const { sequence } of client.listEvents({ wait: 20 }, { signal })) followed.push(sequence);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

const catchesUpWithinMs = 60_000;

/** The number of events, once the follower has met as many. */
async function eventsUntilCaughtUp(client: RosterClient, followed: readonly string[]): Promise<number> {
  let count = 0;
  for await (const { events } of client.listEvents({ limit: 500 }).pages()) count += events.length;
  const until = performance.now() + catchesUpWithinMs;
  while (followed.length < count && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 50));
  return count;
}

/** What is stored otherwise than was acknowledged. */
export async function differences(client: RosterClient, made: Synchronised): Promise<string[]> {
  const stored = Map.groupBy(await all(client, made.chatbotId), ({ email }) => email);
  const found: string[] = [];
  for (const [email, company] of made.expected) {
    const companies = (stored.get(email) ?? []).map((contact) => contact.company).join();
    const wanted = company ?? '';
    if (companies !== wanted) found.push(`${email} is stored as "${companies}", not as "${wanted}"`);
  }
  for (const [email, isAcknowledged] of made.plain) {
    const { length } = stored.get(email) ?? [];
    if (length > 1 || (isAcknowledged && length === 0)) {
      found.push(`${email} was created once (${isAcknowledged ? '201' : 'no answer'}) and is stored ${length} times`);
    }
  }
  const { followed, expectedEvents } = made;
  const isWhole = followed.every((sequence, index) => Number(sequence) === Number(followed[0]) + index);
  if (!isWhole || followed.length !== expectedEvents) {
    found.push(`a follower met ${followed.length} events with gaps or repeats; there are ${expectedEvents}`);
  }
  return found;
}

async function all(client: RosterClient, chatbotId: string) {
  const contacts = [];
  for await (const contact of client.listContacts({ chatbotId })) contacts.push(contact);
  return contacts;
}
