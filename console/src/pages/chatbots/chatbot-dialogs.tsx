import { useRef, useState } from 'preact/hooks';

import { call, roster } from '../../api.ts';
import { curlFor } from '../../curl.ts';
import { withFresh } from '../../fresh.tsx';
import type { Chatbot } from '../../types.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form.tsx';
import type { RowDialogProps } from '../../ui/table.tsx';
import { toast } from '../../ui/toast.tsx';
import { number } from '../../usage.ts';
import { useAction } from '../../use-action.ts';

export const visibilities: Record<Chatbot['visibility'], string> = { private: 'Private', public: 'Public' };

export function CreateChatbot({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const action = useAction(async () => {
    await roster.createChatbot({ name: name.trim() });
    toast(`${name.trim()} created`);
    onClose();
  });
  const example = { name: name.trim() === '' ? 'Front desk' : name.trim() };
  return (
    <FormDialog
      title="Create chatbot"
      action={action}
      verb="Create"
      fields={['name']}
      curl={curlFor('createChatbot', example)}
      onClose={onClose}
    >
      <NameField placeholder="Front desk" name={name} setName={setName} error={action.errorOf('name')} />
    </FormDialog>
  );
}

export function EditChatbot({ row: chatbot, onClose }: RowDialogProps<Chatbot>) {
  const [name, setName] = useState(chatbot.name);
  const [visibility, setVisibility] = useState(chatbot.visibility);
  const input = { chatbotId: chatbot.id, name: name.trim(), visibility };
  const action = useAction(async () => {
    await roster.updateChatbot(input);
    toast(`${input.name} saved`);
    onClose();
  });
  return (
    <FormDialog
      title={`Edit ${chatbot.name}`}
      action={action}
      verb="Save"
      fields={['name']}
      curl={curlFor('updateChatbot', input)}
      onClose={onClose}
    >
      <NameField name={name} setName={setName} error={action.errorOf('name')} />
      <SelectField label="Visibility" value={visibility} onValue={setVisibility} choices={visibilities} />
    </FormDialog>
  );
}

interface NameFieldProps {
  name: string;
  setName: (name: string) => void;
  error: string | undefined;
  placeholder?: string;
}

function NameField({ name, setName, ...rest }: NameFieldProps) {
  return <TextField label="Name" value={name} onValue={setName} maxLength={255} required {...rest} />;
}

/** The people go first, some hundred with each call; closing the dialog stops between two of them. */
export function DeleteChatbot({ row: chatbot, onClose }: RowDialogProps<Chatbot>) {
  const [deleted, setDeleted] = useState(0);
  const isClosed = useRef(false);
  const close = () => {
    isClosed.current = true;
    onClose();
  };
  const perform = async () => {
    for (let isDone = false; !isDone && !isClosed.current;) {
      const step = () =>
        call<{ is_done: boolean; purged: number }>('DELETE', '/chatbots/{chatbotId}', { chatbotId: chatbot.id });
      const { is_done: last, purged } = await withFresh(step);
      setDeleted((before) => before + purged);
      isDone = last;
    }
    if (!isClosed.current) toast(`${chatbot.name} deleted`);
  };
  return (
    <Confirm title="Delete chatbot?" verb="Delete for good" typed="delete" onClose={close} perform={perform}>
      <p>
        <strong>{chatbot.name}</strong> and all its contacts are deleted for good, including those in the bin. This
        cannot be undone.
      </p>
      <p role="status">{deleted > 0 && `${number(deleted)} contacts deleted so far.`}</p>
    </Confirm>
  );
}
