import { Agent, get, type IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** A request whose one right answer is known. */
export interface Question {
  kind: string;
  path: string;
  /** The exact body of its answer. */
  body: string;
}

export interface Answer {
  /** The index of the process that gave it. */
  from: number;
  kind: string;
  /** On the clock of `performance.now()`. */
  sentAt: number;
  ms: number;
  /** 0 where the connection broke. */
  status: number;
  /** What it is when it is neither exactly right nor a 503 as promised. */
  wrong?: string;
}

/** Callers who go on asking whatever happens, and judge each answer. */
export interface Clients extends AsyncDisposable {
  /** All answers until now, in the order in which they came. */
  answers: readonly Answer[];
  /**
   * Waits until every process has given ten good answers in a row to what was asked after `since`. Returns how many
   * milliseconds after `since` the last of the row came, from the process that took longest.
   */
  servedAgain(since: number): Promise<number>;
  /** Lets the requests in flight end, and returns all answers. */
  stop(): Promise<readonly Answer[]>;
}

/** How long a caller thinks between two requests: enough that the callers are not what the machine is busy with. */
const pauseMs = 10;
const callers = 16;
const inARow = 10;
const givesUpAfterMs = 20_000;

/** Starts callers that put questions of one kind each to one address each, over a connection that is kept. */
export function startClients(addresses: readonly string[], token: string, questions: readonly Question[]): Clients {
  const answers: Answer[] = [];
  const stopping = new AbortController();
  const kinds = Object.values(Object.groupBy(questions, ({ kind }) => kind));
  const loop = async (index: number): Promise<void> => {
    const own = kinds[index % kinds.length] ?? [];
    const from = Math.floor(index / kinds.length) % addresses.length;
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let next = index; !stopping.signal.aborted; next++) {
      const question = own[next % own.length];
      if (question) answers.push(await put(question, addresses[from] ?? '', from, token, agent));
      await sleep(pauseMs);
    }
    agent.destroy();
  };
  const loops = Array.from({ length: callers }, (_, index) => loop(index));
  const stop = async () => {
    stopping.abort();
    await Promise.all(loops);
    return answers;
  };
  return {
    answers,
    servedAgain: (since) => servedAgain(answers, addresses.length, since),
    stop,
    [Symbol.asyncDispose]: async () => void (await stop()),
  };
}

async function put(
  { kind, path, body }: Question,
  address: string,
  from: number,
  token: string,
  agent: Agent,
): Promise<Answer> {
  const sentAt = performance.now();
  const given = await ask(`${address}${path}`, { authorization: `Bearer ${token}` }, agent).catch(
    (error: NodeJS.ErrnoException) => ({ status: 0, headers: {}, body: error.code ?? error.message }),
  );
  const answer = { from, kind, sentAt, ms: performance.now() - sentAt, status: given.status };
  const isRight = given.status === 200 ? given.body === body : isUnavailable(given);
  return isRight ? answer : { ...answer, wrong: `${path}: ${given.status} ${given.body}` };
}

export interface Given {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** One GET; fails where no whole answer comes within twenty seconds. */
export function ask(url: string, headers: Record<string, string> = {}, agent?: Agent): Promise<Given> {
  return new Promise((resolve, reject) => {
    const request = get(url, { headers, ...(agent && { agent }) }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => (body += text));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
      response.on('error', reject);
    });
    request.setTimeout(givesUpAfterMs, () => request.destroy(new Error('no answer')));
    request.on('error', reject);
  });
}

/** Whether it is the 503 that callers are promised: in the envelope, and saying when to come again. */
export function isUnavailable({ status, headers, body }: Given): boolean {
  return (
    status === 503 &&
    /^\d+$/.test(headers['retry-after'] ?? '') &&
    /^\{"status":"error","message":"[^"]+","code":"unavailable","request_id":"[^"]+"\}$/.test(body)
  );
}

async function servedAgain(answers: readonly Answer[], processes: number, since: number): Promise<number> {
  const steadyMs = (from: number) => {
    const later = answers.filter((one) => one.from === from && one.sentAt >= since);
    const last = later.find(
      (_, index) => index >= inARow - 1 && later.slice(index - inARow + 1, index + 1).every(isGood),
    );
    return last && last.sentAt + last.ms - since;
  };
  while (performance.now() - since < givesUpAfterMs) {
    const times = Array.from({ length: processes }, (_, from) => steadyMs(from));
    const found = times.filter((one) => one !== undefined);
    if (found.length === processes) return Math.max(...found);
    await sleep(20);
  }
  throw new Error(`not served again: ${JSON.stringify(answers.slice(-4))}`);
}

function isGood({ status, wrong }: Answer): boolean {
  return status === 200 && wrong === undefined;
}

export interface Account {
  /** How many answers there were of each status. */
  statuses: Record<string, number>;
  wrong: string[];
  longestMs: number;
}

/** What came of all the requests. */
export function accountOf(answers: readonly Answer[]): Account {
  const statuses: Record<string, number> = {};
  for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1;
  return {
    statuses,
    wrong: answers.flatMap(({ wrong }) => wrong ?? []),
    longestMs: answers.reduce((longest, { ms }) => Math.max(longest, ms), 0),
  };
}
