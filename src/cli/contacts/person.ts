import { discloseContacts } from '../../contacts/disclose.ts';
import { eraseContacts } from '../../contacts/erase.ts';
import { placesMax } from '../../contacts/person.ts';
import { AppError } from '../../errors.ts';
import { forGood } from '../confirm.ts';
import { note, printResult } from '../output.ts';
import { option } from '../parts.ts';
import { inAProject } from '../places.ts';
import { placed } from '../plain.ts';
import { taking } from '../taking.ts';
import { onlyOneOf, valueFrom, valueOptions } from './read.ts';
import { contactsText, type View } from './shown.ts';

const sought = taking(discloseContacts, valueOptions);
onlyOneOf(sought.options);
const more = 'Other users of the machine can see a command line: - reads the value from stdin.';

export const disclose = placed('disclose', inAProject, {
  says: 'print all that is kept of a person in all chatbots, as JSON, for a request under article 15 or 20',
  examples: [
    'roster contacts disclose --email ana@example.com > ana.json',
    'roster contacts disclose --email - < address.txt > ana.json',
  ],
  more,
  taken: sought,
  prepare: (given) => valueFrom(sought.inputOf(given)),
  act: async ({ ask }, _given, { input }) => printResult(await ask(discloseContacts, input), { json: true }),
});

function shownOf({ chatbot_id, id, name, email, phone, deleted_at, merged_into }: View): View {
  const state = { ...(deleted_at !== undefined && { deleted_at }), ...(merged_into !== undefined && { merged_into }) };
  return { chatbot_id, id, name, email, phone, ...state };
}

export const erase = placed('erase', inAProject, {
  says: 'delete a person from all chatbots for good, also from the bin, with all that was merged into them',
  examples: [
    'roster contacts erase --email ana@example.com',
    'roster contacts erase --email ana@example.com --reference "Request 2026-17" --yes --json',
  ],
  more,
  taken: sought,
  options: [
    option('--reference <text>', 'a name for the request, such as its number; it is printed, and not kept'),
    option('--yes', 'do not ask'),
  ],
  prepare: (given) => valueFrom(sought.inputOf(given)),
  act: async (here, given: { reference?: string; yes?: boolean; json?: boolean }, { input, what }) => {
    const { ask } = here;
    const found = await ask(discloseContacts, input);
    const people = [...found.contacts, ...found.deleted];
    if (people.length === 0) {
      throw new AppError('not_found', `No contact of this project has ${what}`);
    }
    // Merged contacts go with the one that stays, so they need not be named.
    const named = people.length > placesMax ? people.filter((one) => one['merged_into'] === undefined) : people;
    if (named.length > placesMax) {
      const message = `${named.length} contacts of this project have ${what}, and one erasure takes ${placesMax} at most`;
      throw new AppError('invalid', `${message}; purge some of them first`);
    }
    note(contactsText(people.map(shownOf)));
    const contacts = named.map((one) => ({ chatbot_id: String(one['chatbot_id']), id: String(one['id']) }));
    const { reference } = given;
    const noun = people.length === 1 ? 'contact' : `${people.length} contacts`;
    const work = () => ask(eraseContacts, { contacts, ...(reference !== undefined && { reference }) });
    await forGood(here, noun, String(people.length), given, work, 'how many');
  },
});
