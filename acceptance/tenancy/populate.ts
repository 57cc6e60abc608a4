import type { seededRandom } from '../../test/support/random.ts';
import { atOnce } from '../parts/at-once.ts';
import { randomSecret } from '../parts/tokens.ts';
import { aContact, aMember } from './made-up.ts';
import { chatbotIds, contactIds, type Project, projectOf } from './model.ts';
import type { Operator } from './operator.ts';

type Random = ReturnType<typeof seededRandom>;
type Step = (operator: Operator, project: Project, random: Random) => Promise<unknown>;

/** Beside the key that every project has, each in its turn. */
const furtherKeys: readonly Step[] = [
  (operator, project) => operator.createKey(project, { scopes: ['members:read'] }),
  (operator, project) => operator.createKey(project, { scopes: ['contacts:read'] }),
  (operator, project) => operator.createKey(project, { expiresSeconds: 1 }),
  async (operator, project) => operator.revokeKey(await operator.createKey(project)),
  async (operator, project) => operator.rotateKey(project, await operator.createKey(project), 3_600),
  async (operator, project) => operator.rotateKey(project, await operator.createKey(project), 0),
  (operator, project, random) => operator.createKey(project, { foreignToken: `old~${randomSecret(random, 20)}` }),
];

const commandsAtOnce = 3;

/** So many projects with chatbots, contacts, members and keys of every kind, by the command line alone. */
export async function populate(operator: Operator, count: number, random: Random): Promise<readonly Project[]> {
  const projects = Array.from({ length: count }, (_, index) => projectOf(`tenant-${index}`));
  await atOnce(commandsAtOnce, projects, async (project, index) => {
    await operator.createProject(project);
    const ids = chatbotIds.filter((_, at) => at === index % chatbotIds.length || random.below(4) === 0);
    for (const id of ids) {
      await operator.createChatbot(project, id);
      const contacts = contactIds
        .filter(() => random.below(2) === 0)
        .map((contactId) => aContact(random, project.id, contactId));
      if (contacts.length > 0) await operator.importContacts(project, id, contacts);
    }
    const members = Array.from({ length: random.below(40) }, () => aMember(random, project.id));
    await operator.importMembers(project, [aMember(random, project.id, true), ...members]);
    await operator.createKey(project);
    await furtherKeys[index % furtherKeys.length]?.(operator, project, random);
  });
  return projects;
}
