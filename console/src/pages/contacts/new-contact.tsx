import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';

import { roster } from '../../api.ts';
import { curlFor } from '../../curl.ts';
import type { CreateContactInput } from '../../types.ts';
import type { Chatbot } from '../../types.ts';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.tsx';
import { useAction } from '../../use-action.ts';
import { type FieldInfo, fields, type TextField as TextName } from '../contact/fields.ts';
import type { PeopleList } from './list.ts';
import { contactAddress } from './view.ts';

const shown = (['name', 'email', 'phone', 'company', 'job_title'] as const).map((name): [TextName, FieldInfo] => [
  name,
  fields[name],
]);

/** A made-up contact, for somebody who has nothing yet. */
export function exampleFor(chatbotId: string): CreateContactInput {
  return { chatbotId, properties: { name: 'Ana Lucía Ferreira', email: 'ana@example.com', tags: ['vip'] } };
}

type Values = Partial<Record<TextName, string>>;

interface NewContactProps {
  list: PeopleList;
  chatbot: Chatbot;
  onClose: () => void;
}

export function NewContact({ list, chatbot, onClose }: NewContactProps) {
  const { route } = useLocation();
  const [values, setValues] = useState<Values>({});
  const properties = Object.fromEntries(Object.entries(values).filter(([, text]) => text.trim() !== ''));
  const input = { chatbotId: chatbot.id, properties };
  const action = useAction(async () => {
    const { id } = await roster.createContact(input);
    const open = () => route(contactAddress(chatbot.id, id));
    toast({ text: 'The contact was created', action: { label: 'Open', run: open } });
    list.reload();
    onClose();
  });
  const isEmpty = Object.keys(properties).length === 0;
  return (
    <FormDialog
      title="New contact"
      noValidate
      action={action}
      verb="Create"
      isReady={!isEmpty}
      fields={shown.map(([name]) => `properties.${name}`)}
      curl={curlFor('createContact', isEmpty ? exampleFor(chatbot.id) : input)}
      onClose={onClose}
    >
      {shown.map(([name, { label, type, lengthMax }]) => (
        <TextField
          key={name}
          label={label}
          type={type}
          maxLength={lengthMax}
          value={values[name] ?? ''}
          error={action.errorOf(`properties.${name}`)}
          onValue={(text) => setValues({ ...values, [name]: text })}
        />
      ))}
    </FormDialog>
  );
}
