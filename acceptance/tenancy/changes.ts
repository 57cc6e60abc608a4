import { seededRandom } from '../../test/support/random.ts';
import { aContact, aMember } from './made-up.ts';
import { chatbotIds, contactIds, type Member, type Project } from './model.ts';
import type { Operator } from './operator.ts';

type Random = ReturnType<typeof seededRandom>;

/** Goes on changing what belongs to the projects, by one command line after the other, until it is told to stop; `between` them too. */
export function keepChanging(
  operator: Operator,
  projects: readonly Project[],
  seed: number,
  between: Change,
): { stop(): Promise<{ commands: number }> } {
  const random = seededRandom(seed);
  const stopping = new AbortController();
  let commands = 0;
  const goOn = async () => {
    while (!stopping.signal.aborted) {
      await between(operator, random.pick(projects), random);
      await random.pick(changes)(operator, random.pick(projects), random);
      commands++;
    }
  };
  const going = goOn();
  // Who stops it is told.
  going.catch(() => undefined);
  return {
    stop: async () => {
      stopping.abort();
      await going;
      return { commands };
    },
  };
}

export type Change = (operator: Operator, project: Project, random: Random) => Promise<unknown>;

const changeContacts: Change = (operator, project, random) => {
  const contacts = contactIds.filter(() => random.below(4) === 0).map((id) => aContact(random, project.id, id));
  const [first = ''] = project.chatbots.keys();
  const chatbotId = random.below(2) === 0 ? first : random.pick([...project.chatbots.keys()]);
  return operator.importContacts(project, chatbotId, [
    aContact(random, project.id, 'c-0'),
    ...contacts.filter(({ id }) => id !== 'c-0'),
  ]);
};

const changeMembers: Change = (operator, project, random) => {
  const known = project.members.latest().slice(1);
  const promoted = known
    .filter(() => random.below(8) === 0)
    .map(({ email }): Member => ({ email, status: 'Active', roles: aMember(random, project.id).roles }));
  const joining = Array.from({ length: 1 + random.below(3) }, () => aMember(random, project.id));
  return operator.importMembers(project, [...promoted, ...joining]);
};

// The first key of a project stays, so that somebody may always ask.
const aKeyToEnd = async (operator: Operator, project: Project, random: Random) => {
  const usable = project.keys.slice(1).filter(({ works, kind }) => works.latest() && kind !== 'expiring');
  return usable.length > 0 ? random.pick(usable) : operator.createKey(project);
};

const changes: readonly Change[] = [
  changeContacts,
  changeContacts,
  changeContacts,
  changeMembers,
  changeMembers,
  async (operator, project, random) => operator.revokeKey(await aKeyToEnd(operator, project, random)),
  async (operator, project, random) =>
    operator.rotateKey(project, await aKeyToEnd(operator, project, random), random.pick([0, 2, 3_600])),
  (operator, project) => operator.createKey(project, { expiresSeconds: 3 }),
  (operator, project) => operator.createKey(project, { scopes: ['contacts:read'] }),
  async (operator, project, random) => {
    const missing = chatbotIds.filter((id) => !project.chatbots.has(id));
    if (missing.length > 0) await operator.createChatbot(project, random.pick(missing));
  },
];
