import { hash } from 'node:crypto';

import { seededRandom } from '../../test/support/random.ts';
import type { Guarantee, Trial } from '../guarantee.ts';
import type { Installation } from '../installation.ts';
import { type Api, openApi } from '../parts/api.ts';
import { atOnce } from '../parts/at-once.ts';
import type { Known, Random } from '../search/people.ts';
import { compareWithList, type Crowd, populate } from '../search/populate.ts';
import { aSearch, expected, refusalOf, type Search } from '../search/questions.ts';
import { aTenant, sharedChatbot } from '../writes/tenant.ts';

/**
 * Random searches of people with names of many scripts, who came by files and over HTTP, and of whom some were changed,
 * deleted, restored and purged. Each answer is held, id by id, against a reading of all of them. The size is the number of searches.
 */
export const searchAgainstTheReference: Guarantee = {
  name: 'search against a plain reading of the promise',
  promise: 'whom the promise names and nobody else, the most recently added first, on both engines alike',
  sizes: { smoke: 0, core: 600, full: 10_000 },
  engines: ['SQLite', 'PostgreSQL'],
  isHarmless: false,
  prove,
};

const peopleForEach = 2;
const connections = 4;
const failuresMax = 20;
const commandsOf = (size: number) => Math.ceil(size / 200);

/** A digest of the first engine's answers, by seed and size; the other engine must answer the same. */
const answersOf = new Map<string, string>();

async function prove({ install, size, seed, tell }: Trial) {
  const at = await install();
  await at.run(['migrate']);
  const { token } = await aTenant(at, 'acme');
  const { port } = await at.serve({ ROSTER_RATE_LIMIT: '0' });
  using api = await openApi(port, token, connections);
  const crowd = await populate(at, api, peopleForEach * size, seededRandom(seed));
  const failures = await compareWithList(api, crowd);
  tell(`${crowd.live.size} people are there`);
  const random = seededRandom(seed + 1);
  const asking = openAsking(api, crowd);
  const searches = Array.from({ length: size }, () => ({
    search: aSearch(random, crowd.ever),
    own: seededRandom(random.below(2 ** 31)),
  }));
  const answers: string[] = [];
  await atOnce(connections, searches, async ({ search, own }, index) => {
    if (failures.length >= failuresMax) return;
    const { met, wrong } = await asking.walk(search, own);
    answers[index] = met;
    failures.push(...wrong.map((one) => `seed ${seed}, search ${index}, ${JSON.stringify(search)}: ${one}`));
  });
  for (const { search } of searches.slice(0, commandsOf(size))) {
    failures.push(...(await objectionsToCommand(at, asking, search)));
  }
  const digest = hash('sha256', answers.join('\n')).slice(0, 12);
  const run = `${seed} ${size}`;
  if ((answersOf.get(run) ?? digest) !== digest) failures.push('the other engine has answered otherwise');
  answersOf.set(run, digest);
  const { pages, refused, found, empty, later } = asking.tally;
  if (Math.min(refused, later, size - empty) === 0) failures.push(`none of a kind: ${JSON.stringify(asking.tally)}`);
  return {
    tried: size,
    measured: `${crowd.live.size} people, ${pages} pages, ${later} by cursor, ${found} found, ${empty} searches found nobody, ${refused} × 422, ${commandsOf(size)} commands; digest ${digest}`,
    failures: failures.slice(0, failuresMax),
  };
}

interface Page {
  contacts: { id: string }[];
  next_cursor: string | null;
}

const path = `/v2/chatbots/${sharedChatbot}/contacts/search`;

function openAsking(api: Api, { live }: Crowd) {
  const people = [...live.values()];
  const numbers = new Map(people.map(({ id, number }) => [id, number]));
  const tally = { pages: 0, refused: 0, found: 0, empty: 0, later: 0 };
  const numbersOf = (contacts: readonly { id: string }[]) => contacts.map(({ id }) => numbers.get(id) ?? id).join();
  const right = (search: Search): Known[] => expected(people, search);

  /** Reads the first pages of a search, sometimes all, and checks them; `met` lists the people found, by numbers that both engines share. */
  const walk = async (search: Search, random: Random): Promise<{ met: string; wrong: string[] }> => {
    const refusal = refusalOf(search);
    const all = refusal === undefined ? right(search) : [];
    if (refusal === undefined && all.length === 0) tally.empty++;
    const pagesMax = random.below(50) === 0 ? 1_000 : 1 + random.below(4);
    const met: string[] = [];
    let cursor: string | null | undefined = random.below(2) === 0 ? '*' : undefined;
    for (let page = 0, from = 0; page < pagesMax && cursor !== null; page++) {
      const limit = pagesMax > 4 ? 100 : random.below(5) === 0 ? undefined : 1 + random.below(100);
      const body = JSON.stringify({ ...search, limit, ...(cursor !== undefined && { cursor }) });
      const include = random.below(4) === 0 ? '?include=tags,external_id' : '';
      const reply = await api.ask({ method: 'POST', path: path + include, body });
      if (refusal !== undefined) {
        tally.refused++;
        const { errors } = JSON.parse(reply.body) as { errors?: unknown };
        const isRight = reply.status === 422 && JSON.stringify(errors).includes(`"query","code":"${refusal}"`);
        return { met: refusal, wrong: isRight ? [] : [`${reply.status} ${reply.body} and not ${refusal}`] };
      }
      if (reply.status !== 200) return { met: '', wrong: [`${reply.status} ${reply.body}`] };
      const { contacts, next_cursor } = (JSON.parse(reply.body) as { data: Page }).data;
      const to = from + (limit ?? 25);
      const [is, wanted] = [contacts, all.slice(from, to)].map(numbersOf);
      if (is !== wanted) return { met: '', wrong: [`page ${page} of ${body} has ${is} and not ${wanted}`] };
      if ((next_cursor === null) !== to >= all.length)
        return { met: '', wrong: [`page ${page} of ${body} has the cursor ${next_cursor}, ${all.length} are right`] };
      met.push(is ?? '');
      tally.pages++;
      tally.found += contacts.length;
      if (page > 0) tally.later++;
      cursor = next_cursor;
      from = to;
    }
    return { met: met.join(' '), wrong: [] };
  };
  return { walk, right, numbersOf, tally };
}

async function objectionsToCommand(at: Installation, asking: ReturnType<typeof openAsking>, search: Search) {
  const { query, sort, tag, created_after: after, created_before: before } = search;
  const flags = { sort, tag, 'created-after': after, 'created-before': before, limit: '200' };
  const given = Object.entries(flags).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]));
  const target = ['--project', 'acme', '--chatbot', sharedChatbot, '--json'];
  const { code, stdout, stderr } = await at.run([
    'contacts',
    'find',
    ...target,
    ...given,
    '--',
    ...(query?.split(' ') ?? []),
  ]);
  const refusal = refusalOf(search);
  if (refusal !== undefined) return code === 0 ? [`the command found ${JSON.stringify(search)}`] : [];
  if (code !== 0) return [`the command for ${JSON.stringify(search)} ended with ${code}: ${stderr}`];
  const { contacts } = JSON.parse(stdout) as Page;
  const [is, right] = [contacts, asking.right(search).slice(0, 200)].map(asking.numbersOf);
  return is === right ? [] : [`the command for ${JSON.stringify(search)} found ${is} and not ${right}`];
}
