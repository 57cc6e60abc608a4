import { type Api, type Asked, headerOf } from '../parts/api.ts';
import type { Reply } from '../parts/caller.ts';
import type { Change, ChatbotModel, Performed } from './chatbot-model.ts';
import { type openJudge, refused, type Right, succeeded } from './judge.ts';
import { isRepeatable, type Operation, requestOf } from './operations.ts';
import { learn, type Moment, Refused } from './person.ts';
import type { Random } from './slot.ts';

/** What a run of many operations has come to. */
export interface Tally {
  failures: string[];
  /** How many answers of each kind of operation and status. */
  counts: Record<string, number>;
  asked: number;
  /** What the feed has to tell, by request. */
  told: Map<string, readonly (Change & { chatbot_id: string })[]>;
}

export interface Parts {
  name: string;
  api: Api;
  model: ChatbotModel;
  judge: ReturnType<typeof openJudge>;
  tally: Tally;
  random: Random;
}

interface Sent {
  requestId: string;
  reply: Reply;
}

/** A write that was done with an idempotency key. */
export interface Kept {
  asked: Asked;
  kind: string;
  repeat: Performed['repeat'];
}

/** Who says what is right: the model of the chatbot, or one that refuses. */
type Judging = Pick<ChatbotModel, 'id' | 'perform'>;

export interface How {
  /** Sent so many times at once, with one idempotency key. */
  copies?: number;
  as?: Judging;
  ifMatch?: string;
}

export function refusing(id: string, code: string): Judging {
  const perform = () => {
    throw new Refused(code);
  };
  return { id, perform };
}

/** Asks and judges. */
export function openAttempts({ name, api, model, judge, tally, random }: Parts) {
  const { live, bin } = model.people;
  const known = new Set<string>();
  const send = async (asked: Asked): Promise<Sent> => {
    const requestId = `${name}-${++tally.asked}`;
    return { requestId, reply: await api.ask({ ...asked, requestId }) };
  };
  const judgeOne = ({ requestId, reply }: Sent, right: Right, kind: string, asked: Asked) => {
    const what = `${kind} ${reply.status}${isReplayed(reply) ? ' again' : ''}`;
    tally.counts[what] = (tally.counts[what] ?? 0) + 1;
    const objection = judge.objection(reply, right, requestId);
    if (objection !== undefined) tally.failures.push(`${requestId}, ${JSON.stringify(asked)}: ${objection}`);
  };
  /** What the answer has to be; what was done is noted. */
  const perform = (as: Judging, operation: Operation, at: Moment, { requestId, reply }: Sent, made: string[]) => {
    const ids = idsMadeBy(reply);
    const newId = () => {
      const id = ids.shift() ?? 'missing';
      if (!uuid.test(id) || known.has(id)) tally.failures.push(`${requestId}: ${id} is no new id`);
      known.add(id);
      made.push(id);
      return id;
    };
    try {
      const done = as.perform(operation, { at, newId });
      const changes = done.changes.map((change) => ({ ...change, chatbot_id: as.id }));
      if (changes.length > 0) tally.told.set(requestId, changes);
      done.learn?.(dataOf(reply) as Record<string, unknown>);
      // From the oldest deletion on.
      for (const view of viewsIn(reply).toReversed()) {
        const person = 'deleted_at' in view ? bin.get(String(view['id'])) : live.get(String(view['id']));
        if (person) learn(person, view);
      }
      return { right: succeeded(done.answer(), false), done };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return { right: refused(error, requestId, as.id), done: undefined };
    }
  };
  const repeat = async (kept: Kept) => {
    const sent = await send(kept.asked);
    judgeOne(sent, succeeded(kept.repeat(), true), kept.kind, kept.asked);
  };
  const reuse = async ({ asked, kind }: Kept) => {
    const { path, body } = asked;
    const query = `${path}${path.includes('?') ? '&' : '?'}other=1`;
    const other = asked.method === 'DELETE' ? { ...asked, path: query } : { ...asked, body: `${body ?? '{}'} ` };
    const sent = await send(other);
    judgeOne(sent, refused(new Refused('idempotency_key_reused'), sent.requestId), kind, other);
  };
  /** The ids of new contacts are added to `made`. Returns what a repeat has to find. */
  const attempt = async (operation: Operation, made: string[], { copies = 1, as = model, ifMatch }: How = {}) => {
    const isKeyed = isRepeatable(operation) && (copies > 1 || random.below(3) === 0);
    const idempotencyKey = isKeyed ? `${name}/${tally.asked}` : undefined;
    const asked = { ...requestOf(as.id, operation), idempotencyKey, ifMatch };
    const at: Moment = { from: Date.now(), to: Infinity };
    const all = await Promise.all(Array.from({ length: isKeyed ? copies : 1 }, () => send(asked)));
    at.to = Date.now();
    let kept: Kept | undefined;
    // The one that did the work comes first.
    for (const sent of [...all.filter((one) => !isLater(one)), ...all.filter(isLater)]) {
      if (kept) {
        const busy = refused(new Refused('idempotency_in_progress'), sent.requestId);
        judgeOne(sent, isBusy(sent.reply) ? busy : succeeded(kept.repeat(), true), kept.kind, asked);
        continue;
      }
      const { right, done } = perform(as, operation, at, sent, made);
      judgeOne(sent, right, operation.kind, asked);
      if (done && isKeyed) kept = { asked, kind: operation.kind, repeat: done.repeat };
    }
    return kept;
  };
  return { attempt, repeat, reuse };
}

const isLater = ({ reply }: Sent) => isBusy(reply) || isReplayed(reply);

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

function isReplayed(reply: Reply): boolean {
  return headerOf(reply, 'idempotent-replayed') === 'true';
}

function isBusy({ status, body }: Reply): boolean {
  return status === 409 && body.includes('"code":"idempotency_in_progress"');
}

interface Told {
  id?: string;
  contact?: Record<string, unknown> | null;
  /** Of an erasure their number. */
  contacts?: Record<string, unknown>[] | number;
  outcome?: string;
  merge_id?: string | null;
  receipt_id?: string | null;
  results?: { id?: string; outcome: string }[];
}

function dataOf({ body }: Reply): Told {
  return (JSON.parse(body) as { data?: Told | null }).data ?? {};
}

/** The ids of what the answer says was made, in its order. */
function idsMadeBy(reply: Reply): string[] {
  const { id, outcome, contact, merge_id, receipt_id, results = [] } = dataOf(reply);
  const ofResults = results.flatMap((one) => (one.outcome === 'created' ? (one.id ?? []) : []));
  const own = merge_id ?? receipt_id ?? (outcome === 'created' ? contact?.['id'] : id);
  return [...(typeof own === 'string' ? [own] : []), ...ofResults];
}

function viewsIn(reply: Reply): Record<string, unknown>[] {
  const data = dataOf(reply);
  return [
    data as Record<string, unknown>,
    ...(data.contact ? [data.contact] : []),
    ...(Array.isArray(data.contacts) ? data.contacts : []),
  ];
}
