import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';

import { roster } from '../../api.ts';
import { curlFor } from '../../curl.ts';
import type { Chatbot } from '../../types.ts';
import { SelectField, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.tsx';
import { useAction } from '../../use-action.ts';
import { useChosen } from '../../use-chatbots.ts';
import { fields } from '../contact/fields.ts';
import { Existing } from './existing.tsx';
import type { PeopleList } from './list.ts';
import { contactAddress } from './view.ts';

const shown = ['name', 'email', 'phone', 'company', 'job_title'] as const;

/** For somebody who has typed nothing yet. */
const example = { name: 'Ana Lucía Ferreira', email: 'ana@example.com', tags: ['vip'] };

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
  const [values, setValues] = useState<Partial<Record<(typeof shown)[number], string>>>({});
  const properties = Object.fromEntries(Object.entries(values).filter(([, text]) => text.trim() !== ''));
  const action = useAction(async () => {
    const { id } = await roster.createContact({ chatbotId, properties });
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
      fields={shown.map((name) => `properties.${name}`)}
      curl={curlFor('createContact', { chatbotId: chatbotId || 'ID', properties: isEmpty ? example : properties })}
      onClose={onClose}
    >
      {shown.map((name) => (
        <div key={name} class="stack-tight">
          <TextField
            label={fields[name].label}
            type={fields[name].type}
            maxLength={fields[name].lengthMax}
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
