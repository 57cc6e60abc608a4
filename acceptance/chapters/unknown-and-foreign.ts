import { seededRandom } from '../../test/support/random.ts';
import type { Guarantee, Trial } from '../guarantee.ts';
import type { Installation } from '../installation.ts';
import { type Kind, proveAlike } from '../parts/alike.ts';
import { getBy } from '../parts/caller.ts';
import { aTenant } from '../writes/tenant.ts';

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
  const people = await populate(at, random);
  const { port } = await at.serve({ ROSTER_RATE_LIMIT: '0' });
  const kind = (name: string, pairs: readonly Pair[], token = people.token): Kind => ({
    name,
    requests: pairs.map(([chatbot, contact]) =>
      getBy(token, `/v2/chatbots/${chatbot}/contacts/${contact}`, 'X-Request-Id: same'),
    ),
  });
  const unknownContact = kind('unknown contact', people.nobody);
  const foreignContact = kind('foreign contact', [...people.ofSameId, ...people.ofSecond]);
  const unknownChatbot = kind('unknown chatbot', people.noChatbot);
  const foreignChatbot = kind('foreign chatbot', people.ofOthers);
  const theirs = kind('of the others', [...people.ofSameId, ...people.ofOthers].slice(0, 10), people.otherToken);
  const alike = {
    kinds: [unknownContact, foreignContact, unknownChatbot, foreignChatbot],
    forms,
    answered: [[theirs, 200] as const],
    control: [unknownContact, kind('own contact', people.ofOwn)] as const,
    pairs: [[unknownContact, foreignContact] as const, [unknownChatbot, foreignChatbot] as const],
  };
  return proveAlike(port, alike, { size, random });
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
  const { token } = await aTenant(at, own.project);
  const { token: otherToken } = await aTenant(at, 'other');
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
    otherToken,
    ofOwn,
    ofSameId,
    // Asked for under the other of the caller's chatbots.
    ofSecond: ofSecond.map(([, id]): Pair => [own.chatbot, id]),
    ofOthers,
    nobody: [...ids(), ...ids()].map((id): Pair => [own.chatbot, id]),
    noChatbot: unknown.flatMap((chatbot) => ids().map((id): Pair => [chatbot, id])),
  };
}

// All of one length, as a longer path takes longer.
function anId(random: Random): string {
  return Array.from({ length: 32 }, () => random.below(16).toString(16)).join('');
}

function aNumber(random: Random): string {
  return String(2_000_000_000 + random.below(2_000_000_000));
}
