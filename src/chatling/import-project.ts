import { operator } from '../actor.ts';
import { mirrorChatbot } from '../chatbots/mirror.ts';
import { run } from '../operation.ts';
import { createProject } from '../projects/create.ts';
import { limitProject } from '../projects/limits.ts';
import { unlimited } from '../projects/project.ts';
import { updateProjectSettings } from '../projects/settings.ts';
import { newMoment } from '../values/timestamp.ts';
import type { ImportContext } from './context.ts';
import { importContactsOf } from './import-contacts.ts';
import { importMembersOf } from './import-members.ts';
import { type Raw, readChatbot, type SourceChatbot, usableName } from './reading.ts';
import { SourceError } from './requests.ts';
import type { Source } from './source.ts';

/** An empty list of chatbots means all of the source. */
export async function importProject(context: ImportContext, chatbotIds: readonly string[]): Promise<void> {
  await importSettings(context);
  const chatbots = await importChatbots(context, chatbotIds);
  for (const { id } of chatbots) await importContactsOf(context, id);
  await importMembersOf(context);
  await importLimits(context);
}

async function importSettings({ source, store, projectId, isDryRun, onNote }: ImportContext): Promise<void> {
  const project = await store.projects.find(projectId);
  const name = usableName(source.project.name) ?? project?.name ?? projectId;
  if (!project)
    onNote(`The project "${projectId}" does not exist; ${isDryRun ? 'the import would create' : 'creating'} it.`);
  if (isDryRun) return;
  const actor = operator(projectId);
  if (project) await run(updateProjectSettings, store, actor, { name });
  else await run(createProject, store, actor, { name });
}

async function importChatbots(context: ImportContext, chatbotIds: readonly string[]): Promise<SourceChatbot[]> {
  const { source, store, projectId, isDryRun, report, onRejected, onNote } = context;
  const counts = report.chatbots;
  const { chatbots, unusable } = await readChatbots(source, chatbotIds);
  counts.read = chatbots.length + unusable.length;
  counts.rejected = unusable.length;
  for (const raw of unusable) onRejected(raw, 'the chatbot has no id of 1 to 64 characters', {});
  const here = new Map((await store.chatbots.list(projectId)).map((chatbot) => [chatbot.id, chatbot]));
  for (const { created_at = newMoment(), ...chatbot } of chatbots) {
    const given = { ...chatbot, created_at };
    const mirror = () => run(mirrorChatbot, store, operator(projectId), given, { isDry: isDryRun });
    // In a dry run there may be no project to put it into.
    counts[isDryRun && !here.has(given.id) ? 'created' : (await mirror()).output]++;
  }
  if (chatbotIds.length > 0) return chatbots;
  const strange = [...here.keys()].filter((id) => !chatbots.some((chatbot) => chatbot.id === id));
  counts.not_at_source = strange.length;
  const named = `${strange.slice(0, 10).join(', ')}${strange.length > 10 ? ' and more' : ''}`;
  if (strange.length > 0) onNote(`The source does not have these chatbots; they stay: ${named}.`);
  return chatbots;
}

/** The chatbots of the source, or those named. Throws `unavailable` for one that it does not have. */
export async function readChatbots(
  source: Source,
  chatbotIds: readonly string[],
): Promise<{ chatbots: SourceChatbot[]; unusable: Raw[] }> {
  if (chatbotIds.length === 0) {
    const all = await source.chatbots();
    const unusable = all.filter((raw) => readChatbot(raw) === undefined);
    return { chatbots: all.flatMap((raw) => readChatbot(raw) ?? []), unusable };
  }
  const chatbots: SourceChatbot[] = [];
  for (const id of new Set(chatbotIds)) {
    const raw = await source.chatbot(id);
    const chatbot = raw && readChatbot(raw);
    if (!chatbot) throw new SourceError(`The source has no chatbot "${id}"; check the id`);
    chatbots.push(chatbot);
  }
  return { chatbots, unusable: [] };
}

/** Limits come last, as the source may use more than it allows. */
async function importLimits({ source, store, projectId, isDryRun }: ImportContext): Promise<void> {
  const { seatsMax, chatbotsMax, contactsMax } = source.project;
  if (isDryRun) return;
  await run(limitProject, store, operator(projectId), {
    ...(seatsMax !== undefined && { seats_max: Math.min(seatsMax, unlimited) }),
    ...(chatbotsMax !== undefined && { chatbots_max: Math.min(chatbotsMax, unlimited) }),
    ...(contactsMax !== undefined && { contacts_max: contactsMax }),
  });
}
