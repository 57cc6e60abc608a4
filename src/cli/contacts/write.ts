import { createContact } from '../../contacts/create.ts';
import { deleteContact } from '../../contacts/delete.ts';
import { restoreContact } from '../../contacts/restore.ts';
import { updateContact } from '../../contacts/update.ts';
import { AppError } from '../../errors.ts';
import { forGood, yesOption } from '../confirm.ts';
import { note, printResult } from '../output.ts';
import { type Flags, option } from '../parts.ts';
import { inChatbot, type InChatbot, theContact } from '../places.ts';
import { type Here, placed, plain } from '../plain.ts';
import { taking } from '../taking.ts';
import { conditionLists, whereOption } from './conditions.ts';
import {
  changeOptions,
  type PropertyFlags,
  propertyLists,
  propertyOptionOf,
  readProperties,
  setOptions,
} from './properties.ts';
import { allInText, contactText, included } from './shown.ts';
import { type Many, manyOptions, oneOrMany, toMany } from './where-walk.ts';

const writing = {
  lists: propertyLists,
  exits: { badData: 'bad data, such as a wrong value' },
  nameOf: propertyOptionOf,
};
const usesBin = { settings: ['databaseUrl', 'binDays'] } as const;

export const create = plain('create', createContact, inChatbot, {
  ...writing,
  says: 'create a contact, even if another one has its e-mail',
  examples: [
    'roster contacts create --chatbot 8839210412 --set first_name=Bo --set email=bo@example.com',
    'roster contacts create --chatbot 8839210412 --set name=Bo --set tags=vip,lead --set attributes.party=Liberal',
    'roster contacts create --chatbot 8839210412 --properties - --json < bo.json',
  ],
  options: setOptions,
  input: async (given: PropertyFlags) => ({ properties: await readProperties(given) }),
});

const updated = taking(updateContact, { include: allInText });

export const update = placed('update', oneOrMany, {
  ...writing,
  lists: { ...propertyLists, ...conditionLists },
  says: 'change a contact, or all that meet conditions; properties that are not named stay',
  examples: [
    'roster contacts update CONTACT_ID --chatbot 8839210412 --set company="Example Ltd" --unset phone',
    'roster contacts update CONTACT_ID --chatbot 8839210412 --add-tag vip --remove-tag lead',
    'roster contacts update CONTACT_ID --chatbot 8839210412 --properties - --json < bo.json',
    'roster contacts update --where company=Acme --set company="Acme Ltd" --chatbot 8839210412',
  ],
  taken: updated,
  options: [...changeOptions, ...manyOptions],
  prepare: (given: Many & PropertyFlags) => readProperties(given),
  act: async (here, given, properties) => {
    const { contactId } = given;
    if (contactId === undefined) {
      return toMany(here, given, {
        says: (contacts) => `This changes ${contacts}`,
        done: 'changed',
        itemOf: (id) => ({ op: 'update', id, properties }),
      });
    }
    const contact = await here.ask(updateContact, { contactId, properties, ...included(given) });
    printResult(contact, given, () => contactText(contact));
  },
});

type Removal = Flags<InChatbot & { contactId: string; yes?: boolean }>;

export const remove = placed('delete', oneOrMany, {
  ...usesBin,
  says: 'put a contact, or all that meet conditions, into the bin, from which they can be restored',
  exits: { badData: 'a contact could not be deleted' },
  lists: conditionLists,
  examples: [
    'roster contacts delete CONTACT_ID --chatbot 8839210412',
    'roster contacts delete CONTACT_ID --chatbot 8839210412 --json',
    "roster contacts delete --where tags=old --where '!email' --chatbot 8839210412",
  ],
  options: [
    whereOption,
    option('--yes', 'ask nothing with --where, or where there is no bin, and contacts are deleted for good'),
  ],
  act: async (here, given: Many) => {
    const { ask, config, input } = here;
    const { contactId } = given;
    const isForGood = config.binDays === 0;
    if (contactId === undefined) {
      const says = (contacts: string) =>
        isForGood ? `This deletes ${contacts} for good` : `This puts ${contacts} into the bin`;
      return toMany(here, given, { says, done: 'deleted', itemOf: (id) => ({ op: 'delete', id }) });
    }
    if (isForGood) return purgeContact({ ...here, input: { ...input, contactId } }, { ...given, contactId });
    await ask(deleteContact, { contactId });
    printResult({ id: contactId, outcome: 'deleted' }, given);
    note(`It is in the bin for ${config.binDays} days; "roster contacts restore" brings it back.`);
  },
});

export const purge = placed('purge', theContact, {
  says: 'delete a contact for good, also from the bin',
  examples: [
    'roster contacts purge CONTACT_ID --chatbot 8839210412',
    'roster contacts purge CONTACT_ID --chatbot 8839210412 --yes --json',
  ],
  options: [yesOption],
  act: purgeContact,
});

function purgeContact(here: Here<{ chatbotId: string; contactId: string }>, given: Removal): Promise<void> {
  const id = here.input.contactId;
  return forGood(here, 'contact', id, given, async () => {
    await here.ask(deleteContact, { contactId: id, purge: true });
    return { id, outcome: 'purged' };
  });
}

const noBin = 'With ROSTER_BIN_DAYS=0 nothing can be restored from the bin of the database';

export const restore = placed('restore', theContact, {
  ...usesBin,
  says: 'bring a contact back from the bin, under the same id',
  examples: [
    'roster contacts restore CONTACT_ID --chatbot 8839210412',
    'roster contacts restore CONTACT_ID --chatbot 8839210412 --json',
  ],
  taken: taking(restoreContact, { include: allInText }),
  act: async ({ ask, config: { binDays } }, given) => {
    if (binDays === 0) throw new AppError('not_found', noBin);
    const contact = await ask(restoreContact, included(given));
    printResult(contact, given, () => contactText(contact));
  },
});
