import { expect, it } from 'vitest';

import { scopes } from '../../src/rights.ts';
import { eventsOf } from '../support/events.ts';
import { allTools, call, openMcp } from '../support/mcp.ts';
import { aContact, aMember, aProject } from '../support/people.ts';

it('every tool answers about people of another project as about nobody, and changes nothing there', async () => {
  await using service = await openMcp();
  const contacts = [aContact({ id: 'c-1', name: 'Theirs', email: 'theirs@example.com' })];
  const members = [aMember({ email: 'theirs@example.com' })];
  const theirs = await aProject(service.store, { chatbotId: 'theirs', contacts, members });
  const own = await aProject(service.store, { chatbotId: 'mine', scopes: [...scopes] });
  const client = await service.connect(own.token);
  const before = await eventsOf(service.store, theirs.projectId);
  for (const name of allTools) {
    for (const confirm of [false, true]) {
      const told = async (chatbot_id: string, contact_id: string) => {
        const args = { chatbot_id, contact_id, query: 'theirs', match: { id: contact_id }, confirm };
        const properties = { name: 'Zoe' };
        const takes = argumentsOf[name] ?? [];
        const given = Object.entries({ ...args, properties }).filter(([key]) => takes.includes(key));
        return (await call(client, name, Object.fromEntries(given))).text.replaceAll(/[0-9a-f]{24}/g, '');
      };
      const foreign = await told('theirs', 'c-1');
      expect(foreign, name).toBe(await told('nobody', 'c-2'));
      expect(await told('mine', 'c-1'), name).toBe(await told('mine', 'c-2'));
      expect(foreign).not.toMatch(/theirs/i);
    }
  }
  expect(await eventsOf(service.store, theirs.projectId)).toEqual(before);
});

const person = ['chatbot_id', 'contact_id'];
const argumentsOf: Record<string, string[]> = {
  find_people: ['chatbot_id', 'query'],
  get_person: person,
  list_recent_people: ['chatbot_id'],
  save_person: ['chatbot_id', 'match', 'properties', 'confirm'],
  update_person: [...person, 'properties', 'confirm'],
  delete_person: [...person, 'confirm'],
  restore_person: [...person, 'confirm'],
};
