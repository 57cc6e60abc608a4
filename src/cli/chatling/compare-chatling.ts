import { type Compared, compareProject, type Comparison } from '../../chatling/compare.ts';
import type { StoredContact } from '../../contacts/contact.ts';
import { openImportMemory } from '../../files/import-memory.ts';
import { Exit, exitCodes } from '../failures.ts';
import { printResult } from '../output.ts';
import { command, group } from '../parts.ts';
import { inProject } from '../places.ts';
import { type SourceFlags, sourceOptions, withSource } from './with-source.ts';

const chatling = command<SourceFlags>('chatling', {
  says: 'compare a project with Chatling, or with another Roster: list what is missing here, what is only here, and what differs. The ids of the two projects may differ',
  examples: [
    'roster compare chatling --project acme --key-file chatling-key.txt',
    'roster compare chatling --project acme --key-file chatling-key.txt --chatbot 8839210412 --json',
  ],
  exits: {
    failed: 'the two sides differ',
    unavailable: 'the source or the database is unavailable, or refuses the key',
  },
  place: inProject,
  options: sourceOptions('compare only this chatbot and its contacts, and the members'),
  act: compareChatling,
});

export const compareCommand = group(
  'compare',
  'compare a project with the one at another service',
  [
    'roster compare chatling --project acme --key-file chatling-key.txt',
    'roster compare chatling --project acme --key-file chatling-key.txt --json',
  ],
  [chatling],
);

async function compareChatling(flags: SourceFlags): Promise<void> {
  const compared = await withSource(flags, async ({ source, store, bar }) => {
    const context = {
      source,
      store,
      projectId: flags.project,
      openMemory: openImportMemory<StoredContact>,
      onProgress: bar.update,
    };
    return { ...(await compareProject(context, flags.chatbot ?? [])), requests: source.counts.requests };
  });
  printResult(compared, flags, () => textOf(compared));
  if (!compared.equal) throw new Exit(exitCodes.failed);
}

function textOf({ equal, project, chatbots, unusable_chatbots: unusable, members }: Comparison): string {
  const lines = [equal ? 'equal: yes' : 'equal: no'];
  if (project.different.length > 0) lines.push(`project: differs in ${project.different.join(', ')}`);
  for (const chatbot of chatbots) {
    const where = { both: '', source: ' (missing here)', here: ' (only here)' }[chatbot.found];
    const isEqual = chatbot.equal && where === '' && chatbot.fields.length === 0;
    const count = chatbot.found === 'here' ? '' : `: ${chatbot.read} contacts`;
    lines.push(`chatbot ${chatbot.id}${where}${count}${isEqual ? ', equal' : ''}`);
    if (chatbot.fields.length > 0) lines.push(`  differs: the chatbot itself (${chatbot.fields.join(', ')})`);
    lines.push(...linesOf(chatbot));
  }
  if (unusable > 0) lines.push(`${unusable} chatbots of the source have no id that can be stored`);
  lines.push(`members${members.equal ? ': equal' : ':'}`, ...linesOf(members));
  return lines.join('\n');
}

const and = (count: number) => (count === 0 ? [] : [`  and ${count} more`]);

function linesOf({ missing, extra, different, more }: Compared): string[] {
  return [
    ...missing.map((id) => `  missing here: ${id}`),
    ...and(more.missing),
    ...extra.map((id) => `  only here: ${id}`),
    ...and(more.extra),
    ...different.map(({ id, fields }) => `  differs: ${id} (${fields.join(', ')})`),
    ...and(more.different),
  ];
}
