import { useLocation } from 'preact-iso';

import { roster } from '../../api.ts';
import { curlFor } from '../../curl.ts';
import type { Webhook } from '../../types.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { TextField } from '../../ui/field.tsx';
import { FormDialog, useForm } from '../../ui/form.tsx';
import { RotateDialog } from '../keys/rotate-dialog.tsx';
import { madeSecret } from './webhook-form.tsx';
import { nameOf } from './words.tsx';

interface Props {
  webhook: Webhook;
  onClose: () => void;
}

export function RotateSecret({ webhook: { id: webhookId }, onClose }: Props) {
  return (
    <RotateDialog
      title="Rotate the secret"
      label="The old secret signs"
      rotate={async (overlap) => madeSecret('the new secret', await roster.rotateWebhook({ webhookId, overlap }))}
      curl={(overlap) => curlFor('rotateWebhook', { webhookId, overlap })}
      onClose={onClose}
    >
      Meanwhile both secrets sign each request, so the receiver misses nothing.
    </RotateDialog>
  );
}

export function Replay({ webhook: { id: webhookId }, onClose }: Props) {
  const form = useForm(
    { since: '' },
    async () => {
      await roster.replayWebhook(input);
      return 'The events are being sent again';
    },
    onClose,
  );
  const { since } = form.values;
  const input = { webhookId, since: since === '' ? '' : new Date(since).toISOString() };
  return (
    <FormDialog
      title="Replay events"
      action={form}
      verb="Replay"
      isReady={since !== ''}
      curl={curlFor('replayWebhook', input)}
      onClose={onClose}
    >
      <TextField
        label="Since"
        type="datetime-local"
        max="9998-12-31T00:00"
        hint="Everything of that time or later is sent again. Repeats keep their webhook-id, so a receiver knows them."
        {...form.field('since')}
      />
    </FormDialog>
  );
}

export function DeleteWebhook({ webhook, onClose }: Props) {
  const { route } = useLocation();
  const name = nameOf(webhook);
  return (
    <Confirm
      title="Delete the webhook?"
      verb="Delete"
      onClose={onClose}
      perform={async () => {
        await roster.deleteWebhook({ webhookId: webhook.id });
        route('/console/webhooks', true);
        return `${name} was deleted`;
      }}
    >
      <p>
        Nothing more is sent to <strong>{name}</strong>, and its deliveries are forgotten.
      </p>
    </Confirm>
  );
}
