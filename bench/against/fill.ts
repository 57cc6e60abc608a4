import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { type Installation, run } from '../import/commands.ts';
import { contactNumber, keysPerProject, type Layout, members } from '../people.ts';

/** Few enough to create one after the other by commands. */
export const layout: Layout = { projects: 10, chatbots: 20 };

/** Files to import: the members of every project, and the contacts of each chatbot. */
export interface People {
  members: string;
  contacts: readonly string[];
}

/** Writes the files that every installation is filled from. */
export function writePeople(folder: string, count: number): People {
  const { projects: _, chatbots } = layout;
  const headings = Object.keys(contactNumber(1));
  const lines = Array.from({ length: chatbots }, () => [headings.join(',')]);
  for (let i = 1; i <= count; i++) {
    const contact = contactNumber(i);
    lines[i % chatbots]?.push(Object.values(contact).join(','));
  }
  const write = (name: string, rows: readonly string[]) => {
    const path = join(folder, name);
    writeFileSync(path, `${rows.join('\n')}\n`);
    return path;
  };
  const memberRows = members.map(({ email, status, roles }) => `${email},${status},"${roles.join(',')}"`);
  return {
    members: write('members.csv', ['email,status,roles', ...memberRows]),
    contacts: lines.map((rows, chatbot) => write(`contacts-${chatbot}.csv`, rows)),
  };
}

/** Fills an empty database by the commands of the program that will serve it; returns the tokens, by project. */
export async function fillByCommands(installation: Installation, people: People): Promise<string[]> {
  const roster = async (...args: string[]) => (await run(installation, args)).stdout;
  const tokens: string[] = [];
  await roster('migrate');
  for (let project = 0; project < layout.projects; project++) {
    const at = ['--project', String(project)];
    await roster('projects', 'create', 'Bench', '--id', String(project));
    await roster('members', 'import', people.members, ...at);
    for (let key = 0; key < keysPerProject; key++) {
      const created = JSON.parse(await roster('keys', 'create', ...at, '--name', `bench ${key}`, '--json'));
      tokens.push((created as { token: string }).token);
    }
  }
  for (const [chatbot, file] of people.contacts.entries()) {
    const at = ['--project', String(chatbot % layout.projects)];
    await roster('chatbots', 'create', ...at, '--name', 'Bench', '--id', String(chatbot));
    await roster('contacts', 'import', file, ...at, '--chatbot', String(chatbot));
  }
  return tokens;
}
