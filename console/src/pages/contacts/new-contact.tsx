import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';

import { roster } from '../../api.ts';
import { curlFor } from '../../curl.ts';
import type { Chatbot, CreateContactInput } from '../../types.ts';
import { SelectField, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.tsx';
import { useAction } from '../../use-action.ts';
import { useChosen } from '../../use-chatbots.ts';
import { type FieldInfo, fields, type TextField as TextName } from '../contact/fields.ts';
import { Existing } from './existing.tsx';
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
  chatbots: readonly Chatbot[];
  onClose: () => void;
}

export function NewContact({ list, chatbots, onClose }: NewContactProps) {
  const { route } = useLocation();
  const usual = useChosen(chatbots, list.view.chatbotId)?.id ?? '';
  const [picked, setChatbot] = useState<string>();
  const chatbotId = picked ?? usual;
  const [values, setValues] = useState<Values>({});
  const properties = Object.fromEntries(Object.entries(values).filter(([, text]) => text.trim() !== ''));
  const input = { chatbotId, properties };
  const action = useAction(async () => {
    const { id } = await roster.createContact(input);
    localStorage.setItem('roster.chatbot', chatbotId);
    const open = () => route(contactAddress(chatbotId, id));
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
      isReady={!isEmpty && chatbotId !== ''}
      fields={shown.map(([name]) => `properties.${name}`)}
      curl={curlFor(
        'createContact',
        isEmpty ? exampleFor(chatbotId || 'ID') : { ...input, chatbotId: chatbotId || 'ID' },
      )}
      onClose={onClose}
    >
      {shown.map(([name, { label, type, lengthMax }]) => (
        <div key={name} class="stack-tight">
          <TextField
            label={label}
            type={type}
            maxLength={lengthMax}
            value={values[name] ?? ''}
            error={action.errorOf(`properties.${name}`)}
            onValue={(text) => setValues({ ...values, [name]: text })}
          />
          {(name === 'email' || name === 'phone') && (
            <Existing kind={name} value={values[name] ?? ''} chatbots={chatbots} />
          )}
        </div>
      ))}
      {chatbots.length > 1 && (
        <SelectField
          label="Chatbot"
          value={chatbotId}
          choices={chatbots.map(({ id, name }) => [id, name] as const)}
          onValue={setChatbot}
        />
      )}
    </FormDialog>
  );
}
