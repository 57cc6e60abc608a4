import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';

import { roster } from '../../api.ts';
import { curlFor } from '../../curl.ts';
import { withFresh } from '../../fresh.tsx';
import type { Webhook } from '../../types.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Field, SelectField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.tsx';
import { useAction } from '../../use-action.ts';
import { KeepSecret } from './webhook-form.tsx';
import { nameOf } from './words.ts';

interface Props {
  webhook: Webhook;
  onClose: () => void;
}

const overlaps = {
  '1h': 'For one more hour',
  '24h': 'For one more day',
  '7d': 'For seven more days',
  '0s': 'No longer',
};

export function RotateSecret({ webhook, onClose }: Props) {
  const [overlap, setOverlap] = useState<keyof typeof overlaps>('24h');
  const [secret, setSecret] = useState<string>();
  const input = { webhookId: webhook.id, overlap };
  const action = useAction(async () => setSecret((await withFresh(() => roster.rotateWebhook(input)))?.secret ?? ''));
  return (
    <FormDialog
      title="Rotate the secret"
      action={action}
      verb="Rotate"
      isMaking
      made={secret === undefined ? undefined : { title: 'Copy the new secret', shown: <KeepSecret secret={secret} /> }}
      curl={curlFor('rotateWebhook', input)}
      onClose={onClose}
    >
      <p class="prose">Meanwhile both secrets sign each request, so the receiver misses nothing.</p>
      <div class="narrow">
        <SelectField label="The old secret signs" value={overlap} onValue={setOverlap} choices={overlaps} />
      </div>
    </FormDialog>
  );
}

export function Replay({ webhook, onClose }: Props) {
  const [from, setFrom] = useState('');
  const since = from === '' ? '' : new Date(from).toISOString();
  const action = useAction(async () => {
    await roster.replayWebhook({ webhookId: webhook.id, since });
    toast('The events are being sent again');
    onClose();
  });
  return (
    <FormDialog
      title="Replay events"
      action={action}
      verb="Replay"
      isReady={since !== ''}
      fields={['since']}
      curl={curlFor('replayWebhook', { webhookId: webhook.id, since })}
      onClose={onClose}
    >
      <Field
        label="Since"
        hint="Everything of that time or later is sent again. Repeats keep their webhook-id, so a receiver knows them."
        error={action.errorOf('since')}
      >
        {(tied) => (
          <input
            {...tied}
            class="input"
            type="datetime-local"
            max="9998-12-31T00:00"
            value={from}
            onInput={(event) => setFrom(event.currentTarget.value)}
          />
        )}
      </Field>
    </FormDialog>
  );
}

export function DeleteWebhook({ webhook, onClose }: Props) {
  const { route } = useLocation();
  return (
    <Confirm
      title="Delete the webhook?"
      verb="Delete"
      onClose={onClose}
      perform={async () => {
        await roster.deleteWebhook({ webhookId: webhook.id });
        toast(`${nameOf(webhook)} was deleted`);
        route('/console/webhooks', true);
      }}
    >
      <p>
        Nothing more is sent to <strong>{nameOf(webhook)}</strong>, and its deliveries are forgotten.
      </p>
    </Confirm>
  );
}
