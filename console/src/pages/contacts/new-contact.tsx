import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';

import { api } from '../../api.ts';
import { curlFor } from '../../curl.ts';
import { Curl } from '../../ui/curl.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/failed.tsx';
import { TextField } from '../../ui/field.tsx';
import { DialogForm } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.tsx';
import { useAction } from '../../use-action.ts';
import type { Chatbot } from '../../use-chatbots.ts';
import { createAsText } from './examples.ts';
import type { PeopleList } from './list.ts';

const fields = [
  ['name', 'Name', 'text', 255],
  ['email', 'E-mail', 'email', 254],
  ['phone', 'Phone', 'tel', 64],
  ['company', 'Company', 'text', 255],
  ['job_title', 'Job title', 'text', 255],
] as const;

type Values = Partial<Record<(typeof fields)[number][0], string>>;

interface NewContactProps {
  list: PeopleList;
  chatbot: Chatbot;
  onClose: () => void;
}

export function NewContact({ list, chatbot, onClose }: NewContactProps) {
  const { route } = useLocation();
  const [values, setValues] = useState<Values>({});
  const path = `/chatbots/${encodeURIComponent(chatbot.id)}/contacts`;
  const properties = Object.fromEntries(Object.entries(values).filter(([, text]) => text.trim() !== ''));
  const action = useAction(async () => {
    const { id } = await api.post<{ id: string }>(path, { body: { properties } });
    const open = () => route(`/console/contacts/${encodeURIComponent(chatbot.id)}/${encodeURIComponent(id)}`);
    toast({ text: 'The contact was created', action: { label: 'Open', run: open } });
    list.reload();
    onClose();
  });
  const isEmpty = Object.keys(properties).length === 0;
  return (
    <Dialog title="New contact" onClose={onClose}>
      <DialogForm noValidate action={action} verb="Create" isReady={!isEmpty} onClose={onClose}>
        {fields.map(([name, label, type, maxLength]) => (
          <TextField
            key={name}
            label={label}
            type={type}
            maxLength={maxLength}
            value={values[name] ?? ''}
            error={action.errorOf(`properties.${name}`)}
            onValue={(text) => setValues({ ...values, [name]: text })}
          />
        ))}
        <ErrorNote error={action.errorBesides(...fields.map(([name]) => `properties.${name}`))} />
        <Curl code={curlFor(isEmpty ? createAsText(chatbot.id) : { method: 'POST', path, body: { properties } })} />
      </DialogForm>
    </Dialog>
  );
}
