import { seededRandom } from '../../test/support/random.ts';
import type { Guarantee, Trial } from '../guarantee.ts';
import type { Installation } from '../installation.ts';
import { comparePairs, inForm, type Kind, kindOf, tellsApart, unlikeTheFirst } from '../parts/alike.ts';
import { getBy, openCaller } from '../parts/caller.ts';

/**
 * Nothing tells what does not exist from what belongs to somebody else: not a byte but the request id, and not the time.
 * Times are compared as dudect does: by Welch's t, without the slowest of both. Where |t| is above 4.5 another set is
 * measured, twice at most: noise of the machine does not come back with the same sign, a difference does.
 */
export const unknownAndForeign: Guarantee = {
  name: 'unknown and foreign alike',
  sizes: { smoke: 0, core: 1_000, full: 20_000 },
  engines: ['SQLite', 'PostgreSQL'],
  prove,
};

type Random = ReturnType<typeof seededRandom>;

const own = { project: 'own', chatbot: '1000000001', second: '1000000002' };
const foreignChatbots = 3;
const peopleOfChatbot = 200;

async function prove({ install, size, seed }: Trial) {
  const random = seededRandom(seed);
  const at = await install();
  await at.json(['migrate']);
  const people = await populate(at, random);
  const { port } = await at.serve({ ROSTER_RATE_LIMIT: '0' });
  using caller = await openCaller(port);
  const kind = (name: string, pairs: readonly Pair[]): Kind =>
    kindOf(
      name,
      pairs.map(([chatbot, contact]) =>
        getBy(people.token, `/v2/chatbots/${chatbot}/contacts/${contact}`, 'X-Request-Id: same'),
      ),
    );
  const unknownContact = kind('unknown contact', people.nobody);
  const foreignContact = kind('foreign contact', [...people.ofSameId, ...people.ofSecond]);
  const unknownChatbot = kind('unknown chatbot', people.noChatbot);
  const foreignChatbot = kind('foreign chatbot', people.ofOthers);
  const known = kind('own contact', people.ofOwn);

  const failures: string[] = [];
  const few = [unknownContact, foreignContact, unknownChatbot, foreignChatbot].map(({ name, requests }) =>
    kindOf(name, requests.slice(0, 20)),
  );
  for (const form of forms) failures.push(...(await unlikeTheFirst(caller, inForm(few, form))));
  // That there is somebody where the foreign ones are said to be, and that a clock would tell.
  const other = await Promise.all(people.foreignRequests.map(async (request) => (await caller.ask(request)).status));
  if (other.some((status) => status !== 200)) failures.push(`the others do not find their own: ${other.join()}`);
  const notShown = await tellsApart(caller, [unknownContact, known], random);

  const pairs = [[unknownContact, foreignContact] as const, [unknownChatbot, foreignChatbot] as const];
  const compared = await comparePairs(caller, pairs, size, random);
  return { ...compared, failures: [...failures, ...compared.failures], notShown };
}

/** The same question in other forms. */
const forms: readonly ((request: string) => string)[] = [
  (request) => request,
  (request) => request.replace('GET ', 'HEAD '),
  (request) => request.replace(' HTTP/1.1', '?page=1 HTTP/1.1'),
  (request) => `${request}If-None-Match: *\r\n`,
  (request) => `${request}Accept: text/html\r\nOrigin: https://example.com\r\n`,
];

type Pair = readonly [chatbot: string, contact: string];

async function populate(at: Installation, random: Random) {
  const token = await aProject(at, own.project);
  const otherToken = await aProject(at, 'other');
  const ids = () => Array.from({ length: peopleOfChatbot }, () => anId(random));
  const chatbots = Array.from({ length: foreignChatbots }, () => aNumber(random));
  const withPeople = async (project: string, chatbot: string): Promise<Pair[]> => {
    await at.json(['chatbots', 'create', '--project', project, '--name', 'Bot', '--id', chatbot]);
    const contacts = ids();
    const rows = contacts.map((id) => JSON.stringify({ id, name: `Somebody of ${project}` }));
    const target = ['--project', project, '--chatbot', chatbot];
    await at.json(['contacts', 'import', '-', '--format', 'ndjson', ...target], { input: rows.join('\n') });
    return contacts.map((id) => [chatbot, id]);
  };
  const ofOwn = await withPeople(own.project, own.chatbot);
  const ofSecond = await withPeople(own.project, own.second);
  const ofSameId = await withPeople('other', own.chatbot);
  const ofOthers: Pair[] = [];
  for (const chatbot of chatbots) ofOthers.push(...(await withPeople('other', chatbot)));
  const unknown = Array.from({ length: foreignChatbots }, () => aNumber(random));
  return {
    token,
    ofOwn,
    ofSameId,
    // Asked for under the other of the caller's chatbots.
    ofSecond: ofSecond.map(([, id]): Pair => [own.chatbot, id]),
    ofOthers,
    nobody: [...ids(), ...ids()].map((id): Pair => [own.chatbot, id]),
    noChatbot: unknown.flatMap((chatbot) => ids().map((id): Pair => [chatbot, id])),
    foreignRequests: [...ofSameId, ...ofOthers]
      .slice(0, 10)
      .map(([chatbot, id]) => getBy(otherToken, `/v2/chatbots/${chatbot}/contacts/${id}`)),
  };
}

async function aProject(at: Installation, id: string): Promise<string> {
  await at.json(['projects', 'create', id, '--id', id]);
  const key = await at.json<{ token: string }>(['keys', 'create', '--project', id, '--name', 'k']);
  return key.token;
}

// All of one length, as a longer path takes longer.
function anId(random: Random): string {
  return Array.from({ length: 32 }, () => random.below(16).toString(16)).join('');
}

function aNumber(random: Random): string {
  return String(2_000_000_000 + random.below(2_000_000_000));
}
