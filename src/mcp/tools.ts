import { listChatbots } from '../chatbots/list.ts';
import { deleteContact } from '../contacts/delete.ts';
import { listContacts } from '../contacts/list.ts';
import { restoreContact } from '../contacts/restore.ts';
import { retrieveContact } from '../contacts/retrieve.ts';
import { findPeople } from '../contacts/search.ts';
import { updateContact } from '../contacts/update.ts';
import { upsertContact } from '../contacts/upsert.ts';
import { includes } from '../contacts/view.ts';
import { listRecentEvents } from '../events/feed.ts';
import { listMembers } from '../members/list.ts';
import { tool, type Tool } from './tool.ts';
import type { Result } from './written.ts';

const whole = { include: includes };
/** Cursors instead of pages: no person comes twice. */
const fromTheBeginning = { cursor: '*' };
const someAtOnce = 25;
const person = ['chatbot_id', 'contact_id'];

/** Every tool, in the order of the list. No tool touches keys or invitations, or deletes a chatbot or a project. */
export const tools: readonly Tool[] = [
  tool('find_people', findPeople, {
    title: 'Find people',
    description:
      'Finds people of the project, or of one chatbot, by the beginnings of words in name, e-mail, company, job title, external id, tags or phone; a whole e-mail address or phone number works too.',
    takes: [
      'query',
      'chatbot_id',
      'where',
      'tag',
      'created_after',
      'created_before',
      'updated_after',
      'updated_before',
      'sort',
      'count',
      'limit',
      'cursor',
    ],
    summaryOf: (result) => counted('contacts', 'person', 'people', result),
  }),
  tool('get_person', retrieveContact, {
    title: 'Get a person',
    description: 'Shows all stored data of one person.',
    takes: person,
    defaults: whole,
    summaryOf: () => 'One person.',
  }),
  tool('list_recent_people', listContacts, {
    title: 'List recent people',
    description:
      'Lists the people of a chatbot, newest first. With state "deleted" it lists those in the bin, and needs contacts:write too.',
    takes: ['chatbot_id', 'state', 'limit', 'cursor'],
    defaults: fromTheBeginning,
    summaryOf: (result) => counted('contacts', 'person', 'people', result),
  }),
  tool('save_person', upsertContact, {
    title: 'Save a person',
    description:
      'Changes the person with this e-mail, external id or id. If nobody has the e-mail or external id, creates a person.',
    takes: ['chatbot_id', 'match', 'properties'],
    defaults: whole,
    isDestructive: true,
  }),
  tool('update_person', updateContact, {
    title: 'Update a person',
    description: 'Changes properties of a person. null clears a property; a property that you leave out stays.',
    takes: [...person, 'properties'],
    defaults: whole,
    isDestructive: true,
  }),
  tool('delete_person', deleteContact, {
    title: 'Delete a person',
    description:
      'Puts a person into the bin; restore_person takes them out again. If this Roster keeps no bin, deletes for good.',
    takes: person,
    isDestructive: true,
  }),
  tool('restore_person', restoreContact, {
    title: 'Restore a person',
    description: 'Takes a person out of the bin; list_recent_people with state "deleted" shows who is in it.',
    takes: person,
    defaults: whole,
  }),
  tool('list_members', listMembers, {
    title: 'List members',
    description: 'Lists the members of the project with status and roles, the Owner first.',
    takes: ['page', 'limit', 'status', 'role', 'email'],
    defaults: { per_page: someAtOnce },
    summaryOf: (result) => counted('members', 'member', 'members', result),
  }),
  tool('list_chatbots', listChatbots, {
    title: 'List chatbots',
    description: 'Lists the chatbots of the project, newest first. Other tools need the id of a chatbot.',
    takes: ['limit', 'cursor'],
    defaults: fromTheBeginning,
    summaryOf: (result) => counted('chatbots', 'chatbot', 'chatbots', result),
  }),
  tool('recent_changes', listRecentEvents, {
    title: 'List recent changes',
    description:
      'Lists the latest changes in the project, oldest first: what happened, when and by whom, as ids and names of fields. A filter selects among the last `limit` changes.',
    takes: ['after', 'limit', 'type', 'chatbot_id'],
    defaults: { limit: someAtOnce },
    summaryOf: (result) => counted('events', 'change', 'changes', result),
  }),
];

function counted(list: string, one: string, many: string, result: Result): string {
  const { length } = result[list] as unknown[];
  const pages = result['pages'] as { current_page: number; last_page: number } | undefined;
  const more = pages
    ? ` Page ${pages.current_page} of ${pages.last_page}.`
    : typeof result['next_cursor'] === 'string' && list !== 'events'
      ? ' There are more: continue with next_cursor.'
      : '';
  return `${length === 1 ? `1 ${one}` : `${length} ${many}`}.${more}`;
}
