import type { Installation } from '../installation.ts';
import { type Contact, contactOf, type Project } from './model.ts';

const isMeant = ({ email }: Contact) => email !== null;

interface Done {
  done: number;
}

/** Commands with --where take those of one project alone, though every project has people and chatbots like them. */
export async function objectionsToSweeps(at: Installation, [project, other]: readonly Project[]): Promise<string[]> {
  if (!project || !other) return ['there are not two projects'];
  const failures: string[] = [];
  const [chatbotId = ''] = [...project.chatbots.keys()];
  const crowd = project.crowds.get(chatbotId);
  const all = crowd?.latest() ?? [];
  const meant = all.filter(isMeant);
  const target = ['--project', project.id, '--chatbot', chatbotId];
  const everybody = ['--where', 'email_domain=Example.com', ...target];
  const { stdout } = await at.run(['contacts', 'export', '--format', 'ndjson', ...everybody]);
  const lines = stdout.trim().split('\n').filter(Boolean);
  const exported = lines.map((line) => (JSON.parse(line) as Contact).id).toSorted();
  const ids = meant.map(({ id }) => id).toSorted();
  if (exported.join() !== ids.join())
    failures.push(`${project.id} exports ${exported.join()} instead of ${ids.join()}`);
  const sweep = async (right: number, args: readonly string[]) => {
    const { done } = await at.json<Done>([...args, '--yes']);
    if (done !== right) failures.push(`${args.join(' ')} reached ${done} contacts instead of ${right}`);
  };
  await sweep(meant.length, ['contacts', 'update', ...everybody, '--set', 'city=Swept']);
  await sweep(0, ['contacts', 'delete', '--where', `tags=of ${other.id}`, ...target]);
  await sweep(meant.length, ['contacts', 'delete', '--where', 'city=swept', ...target]);
  for (const { id } of meant) contactOf(project, chatbotId, id).change(null).end();
  crowd?.change(all.filter((one) => !isMeant(one))).end();
  return failures;
}
