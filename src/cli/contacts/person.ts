import { discloseContacts } from '../../contacts/disclose.ts';
import { eraseContacts, type Erased } from '../../contacts/erase.ts';
import { placesMax } from '../../contacts/in-project.ts';
import type { View } from '../../contacts/view.ts';
import { AppError } from '../../errors.ts';
import { forGood } from '../confirm.ts';
import { note, printResult } from '../output.ts';
import { option } from '../parts.ts';
import { inAProject } from '../places.ts';
import { type Here, placed } from '../plain.ts';
import { taking } from '../taking.ts';
import { onlyOneOf, valueFrom, valueOptions } from './look-up.ts';
import { contactsText } from './shown.ts';

const sought = taking(discloseContacts, valueOptions);
onlyOneOf(sought.options);
const more = 'Other users of the machine can see a command line: - reads the value from stdin.';

export const disclose = placed('disclose', inAProject, {
  says: 'print all that is kept of a person in all chatbots, as JSON, for a request under article 15 or 20 of the GDPR',
  examples: [
    'roster contacts disclose --email ana@example.com > ana.json',
    'roster contacts disclose --email - < address.txt > ana.json',
  ],
  more,
  taken: sought,
  prepare: (given) => valueFrom(sought.inputOf(given)),
  act: async ({ ask }, _given, { input, what }) => {
    const found = await ask(discloseContacts, input);
    printResult(found, { json: true });
    if (found.contacts.length + found.deleted.length === 0) note(`No contact of this project has ${what}.`);
  },
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
    const found = await here.ask(discloseContacts, input);
    const people = [...found.contacts, ...found.deleted];
    if (people.length === 0) {
      throw new AppError('not_found', `No contact of this project has ${what}`);
    }
    note(contactsText(people.map(shownOf)));
    const { reference } = given;
    const noun = people.length === 1 ? 'contact' : `${people.length} contacts`;
    const work = (onStep: () => void) => eraseInSteps(here, people, reference, onStep);
    await forGood(here, noun, String(people.length), given, work, 'the number of contacts');
  },
});

/** Erases a hundred at a time. Merged contacts come before those into which they were merged, as these would take them along. */
async function eraseInSteps(
  { ask }: Pick<Here<object>, 'ask'>,
  people: readonly View[],
  reference: string | undefined,
  onStep: () => void,
) {
  const ordered = people.toSorted((a, b) => (mergedAt(a) === mergedAt(b) ? 0 : mergedAt(a) < mergedAt(b) ? -1 : 1));
  const contacts = ordered.map((one) => ({ chatbot_id: String(one['chatbot_id']), id: String(one['id']) }));
  const receipts: Erased[] = [];
  for (let at = 0; at < contacts.length; at += placesMax) {
    onStep();
    const some = contacts.slice(at, at + placesMax);
    const receipt = await ask(eraseContacts, { contacts: some, ...(reference !== undefined && { reference }) });
    receipts.push(receipt);
    if (contacts.length > placesMax) note(`${at + some.length} of ${contacts.length}: receipt ${receipt.receipt_id}`);
  }
  const all = receipts.reduce((sum, one) => sum + one.contacts, 0);
  const receiptIds = receipts.map((one) => one.receipt_id);
  return { ...receipts.at(-1), contacts: all, ...(receipts.length > 1 && { receipt_ids: receiptIds }) };
}

/** Later than any time for one that was not merged. */
function mergedAt({ merged_at: at }: View): string {
  return typeof at === 'string' ? at : '~';
}
