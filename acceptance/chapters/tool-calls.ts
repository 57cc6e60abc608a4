import { seededRandom } from '../../test/support/random.ts';
import type { Guarantee, Trial } from '../guarantee.ts';
import type { Installation } from '../installation.ts';
import { callTool, type Result, toolsOf } from '../mcp/calls.ts';
import { aTenant, noTools, scopeOf, type Tenant } from '../mcp/tenants.ts';
import { atOnce } from '../parts/at-once.ts';
import { openCaller } from '../parts/caller.ts';

/**
 * Keys of ten projects (four in `core`) call random tools. Their scopes differ. A call may name a chatbot of another project, or a
 * tool that is beyond the scopes or does not exist. Some calls have `confirm`. The size is the number of calls.
 */
export const toolCalls: Guarantee = {
  name: 'tool calls by mixed keys',
  promise: 'no foreign person, no tool beyond the scopes, nothing stored without confirm',
  sizes: { smoke: 0, core: 1_000, full: 10_000 },
  engines: ['SQLite', 'PostgreSQL'],
  isHarmless: false,
  prove,
};

type Random = ReturnType<typeof seededRandom>;
type Key = Tenant['keys'][number];

const connections = 8;
const failuresMax = 20;
const order = Object.keys(scopeOf);

interface Planned {
  tenant: Tenant;
  key: Key;
  name: string;
  args: Record<string, unknown>;
  isModern: boolean;
  /** What has to come of it; undefined where the calls of others decide. */
  expected: 'none' | 'insufficient_scope' | 'not_found' | 'done' | undefined;
}

async function prove({ install, size, seed, tell }: Trial) {
  const random = seededRandom(seed);
  const at = await install();
  await at.json(['migrate']);
  // Their commands take longer than the calls of `core`.
  const projects = size < 10_000 ? 4 : 10;
  const tenants: Tenant[] = [];
  for (let number = 0; number < projects; number++) tenants.push(await aTenant(at, number, random));
  const { port } = await at.serve({ ROSTER_RATE_LIMIT: '0' });
  tell(`${projects} projects are there`);
  const failures: string[] = [];
  const tally: Record<string, number> = {};
  const calls = Array.from({ length: size }, () => aCall(tenants, random));
  const free = await Promise.all(Array.from({ length: connections }, () => openCaller(port)));
  await atOnce(connections, calls, async (planned, index) => {
    if (failures.length >= failuresMax) return;
    const caller = free.pop();
    if (!caller) throw new Error('there is no connection');
    const { tenant, key, isModern } = planned;
    const result = await callTool(caller, key.token, planned);
    const outcome = outcomeOf(result);
    tally[outcome] = (tally[outcome] ?? 0) + 1;
    const wrong = objectionTo(planned, result, outcome, tenants);
    const listed = index % 50 === 0 ? await toolsOf(caller, key.token, isModern) : undefined;
    free.push(caller);
    if (wrong !== undefined)
      failures.push(`seed ${seed}, call ${index} of ${tenant.project}, ${described(planned)}: ${wrong}`);
    const right = order.filter((name) => key.scopes.has(scopeOf[name] ?? ''));
    if (listed && listed.join() !== right.join()) failures.push(`listed are ${listed.join()} and not ${right.join()}`);
  });
  for (const caller of free) caller[Symbol.dispose]();
  for (const tenant of tenants) failures.push(...(await objectionsToPeople(at, tenant)));
  const counts = Object.entries(tally).map(([outcome, count]) => `${count} × ${outcome}`);
  if (Object.keys(tally).length < 5) failures.push(`too few of a kind: ${counts.join()}`);
  return {
    tried: size,
    measured: `${projects} projects; ${counts.toSorted().join(', ')}`,
    failures: failures.slice(0, failuresMax),
  };
}

function aCall(tenants: readonly Tenant[], random: Random): Planned {
  const tenant = random.pick(tenants);
  const key = random.pick(tenant.keys);
  const isModern = random.below(2) === 0;
  const base = { tenant, key, isModern };
  if (random.below(25) === 0) return { ...base, name: random.pick(noTools), args: {}, expected: 'none' };
  const name = random.pick(order);
  const other = random.pick(tenants.filter((one) => one !== tenant));
  const isForeign = random.below(4) === 0;
  const chatbot = isForeign ? (other.chatbots[1] ?? '') : random.pick(tenant.chatbots);
  const { args, isSteady } = argsOf(name, chatbot, tenant, other, random);
  const mayBe = key.scopes.has(scopeOf[name] ?? '');
  const hasChatbot = 'chatbot_id' in args && name !== 'recent_changes';
  const expected = !mayBe
    ? 'insufficient_scope'
    : hasChatbot && isForeign
      ? 'not_found'
      : isSteady
        ? 'done'
        : undefined;
  return { ...base, name, args, expected };
}

function argsOf(name: string, chatbot: string, tenant: Tenant, other: Tenant, random: Random) {
  const there = { chatbot_id: chatbot };
  const confirm = random.pick([{}, { confirm: false }, { confirm: true }]);
  const isRead = !scopeOf[name]?.endsWith(':write');
  const id = random.pick(isRead ? tenant.steady : tenant.changing);
  const properties = { company: `Company ${tenant.mark} ${random.below(1_000)}` };
  switch (name) {
    case 'find_people':
      return { args: { ...there, query: random.pick([`ana ${other.mark}`, 'ana', other.mark]) }, isSteady: true };
    case 'list_recent_people':
      return { args: { ...there, limit: 1 + random.below(100) }, isSteady: true };
    case 'get_person':
      return { args: { ...there, contact_id: id }, isSteady: true };
    case 'save_person': {
      const match = random.pick([{ email: `${id}@${tenant.mark}.example.com` }, { id }]);
      return { args: { ...there, match, properties, ...confirm }, isSteady: false };
    }
    case 'update_person':
      return { args: { ...there, contact_id: id, properties, ...confirm }, isSteady: false };
    case 'delete_person':
    case 'restore_person':
      return { args: { ...there, contact_id: id, ...confirm }, isSteady: false };
    case 'recent_changes':
      return { args: random.pick([{}, there]), isSteady: true };
    default:
      return { args: {}, isSteady: true };
  }
}

function outcomeOf({ isError, text, data }: Result): string {
  if (isError) return /^Error (-?\w+)/.exec(text)?.[1] ?? 'unknown';
  const { stored } = data as { stored?: boolean };
  return stored === undefined ? 'read' : stored ? 'stored' : 'dry';
}

function objectionTo(
  planned: Planned,
  { body }: Result,
  outcome: string,
  tenants: readonly Tenant[],
): string | undefined {
  const { tenant, args, expected } = planned;
  const foreign = tenants.find(({ mark }) => mark !== tenant.mark && body.includes(mark));
  if (foreign) return `the answer has the mark of ${foreign.project}`;
  if (outcome === 'stored' && args['confirm'] !== true) return 'it was stored without confirm';
  if (outcome === 'internal' || outcome === 'unavailable' || outcome === 'invalid') return `the outcome is ${outcome}`;
  const right = { none: ['-32602'], done: ['read', 'dry', 'stored'], undefined: undefined };
  const wanted = expected === undefined ? undefined : (right[expected as 'none' | 'done'] ?? [expected]);
  return wanted && !wanted.includes(outcome) ? `the outcome is ${outcome} and not ${wanted.join(' or ')}` : undefined;
}

function described({ name, args, isModern }: Planned): string {
  return `${name} ${JSON.stringify(args)}${isModern ? '' : ' (2025-11-25)'}`;
}

/** Finds people who ended up without their project's mark or with another project's. */
async function objectionsToPeople(at: Installation, { project, mark, chatbots }: Tenant): Promise<string[]> {
  const wrong: string[] = [];
  for (const chatbot of chatbots) {
    const { stdout } = await at.run([
      'contacts',
      'export',
      '--project',
      project,
      '--chatbot',
      chatbot,
      '--format',
      'ndjson',
    ]);
    for (const line of stdout.split('\n')) {
      const marks = new Set(line.match(/mark\d{3}x/g));
      if (line !== '' && (marks.size !== 1 || !marks.has(mark))) wrong.push(`${project} has ${line}`);
    }
  }
  return wrong;
}
