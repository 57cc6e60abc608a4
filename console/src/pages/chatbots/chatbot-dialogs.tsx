import { useRef, useState } from 'preact/hooks';

import { call, roster } from '../../api.ts';
import { curlFor } from '../../curl.ts';
import type { Chatbot } from '../../types.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { FormDialog, useForm } from '../../ui/form.tsx';
import type { RowDialogProps } from '../../ui/table.tsx';
import { number } from '../../usage.ts';

export const visibilities: Record<Chatbot['visibility'], string> = { private: 'Private', public: 'Public' };

export function CreateChatbot({ onClose }: { onClose: () => void }) {
  const form = useForm(
    { name: '' },
    async (input) => {
      await roster.createChatbot(input);
      return `${input.name} created`;
    },
    onClose,
  );
  return (
    <FormDialog
      title="Create chatbot"
      action={form}
      verb="Create"
      curl={curlFor('createChatbot', form.input)}
      onClose={onClose}
    >
      <TextField label="Name" placeholder="Front desk" maxLength={255} required {...form.field('name')} />
    </FormDialog>
  );
}

export function EditChatbot({ row: { id: chatbotId, name, visibility }, onClose }: RowDialogProps<Chatbot>) {
  const form = useForm(
    { name, visibility },
    async (input) => {
      await roster.updateChatbot({ chatbotId, ...input });
      return `${input.name} saved`;
    },
    onClose,
  );
  return (
    <FormDialog
      title={`Edit ${name}`}
      action={form}
      verb="Save"
      curl={curlFor('updateChatbot', { chatbotId, ...form.input })}
      onClose={onClose}
    >
      <TextField label="Name" maxLength={255} required {...form.field('name')} />
      <SelectField label="Visibility" choices={visibilities} {...form.field('visibility')} />
    </FormDialog>
  );
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
      const step = await call<{ is_done: boolean; purged: number }>('DELETE', '/chatbots/{chatbotId}', {
        chatbotId: chatbot.id,
      });
      setDeleted((before) => before + step.purged);
      isDone = step.is_done;
    }
    return isClosed.current ? undefined : `${chatbot.name} deleted`;
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
