import { useState } from 'preact/hooks';

import { errorAbout, roster } from '../../api.ts';
import { curlFor } from '../../curl.ts';
import { withFresh } from '../../fresh.tsx';
import type { Webhook } from '../../types.ts';
import { Secret } from '../../ui/copy.tsx';
import { Checks, SelectField, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.tsx';
import { useAction } from '../../use-action.ts';
import { useChatbots } from '../../use-chatbots.ts';
import { groupChoices, singleChoices } from './words.ts';

const payloads = {
  thin: 'Ids and names of fields, no personal data',
  full: 'The whole contact or member as well',
};

/** Creates a webhook, or changes the given one. */
export function WebhookForm({ webhook, onClose }: { webhook?: Webhook; onClose: () => void }) {
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [description, setDescription] = useState(webhook?.description ?? '');
  const [events, setEvents] = useState(webhook?.events ?? []);
  const [only, setOnly] = useState(webhook?.chatbot_ids ?? []);
  const [payload, setPayload] = useState(webhook?.payload ?? 'thin');
  const [secret, setSecret] = useState<string>();
  const { data: chatbots = [] } = useChatbots();
  const input = {
    url: url.trim(),
    events,
    chatbot_ids: only.length > 0 ? only : null,
    payload,
    description: description.trim() || null,
  };
  const action = useAction(async () => {
    if (!webhook) return setSecret((await withFresh(() => roster.createWebhook(input)))?.secret ?? '');
    await withFresh(() => roster.updateWebhook({ webhookId: webhook.id, ...differing(input, webhook) }));
    toast('The webhook was changed');
    onClose();
  });
  return (
    <FormDialog
      title={webhook ? 'Change the webhook' : 'Create a webhook'}
      action={action}
      verb={webhook ? 'Save' : 'Create'}
      isReady={events.length > 0}
      isMaking={!webhook}
      made={secret === undefined ? undefined : { title: 'Copy the secret', shown: <KeepSecret secret={secret} /> }}
      fields={['url', 'events', 'description']}
      curl={
        webhook
          ? curlFor('updateWebhook', { webhookId: webhook.id, ...differing(input, webhook) })
          : curlFor('createWebhook', input)
      }
      onClose={onClose}
    >
      <TextField
        label="URL"
        type="url"
        hint="Of the service that gets the events: https, at a public address."
        placeholder="https://example.com/hooks/roster"
        value={url}
        onValue={setUrl}
        maxLength={2_048}
        error={action.errorOf('url')}
        required
      />
      <TextField
        label="Description"
        hint="For people, if you like."
        placeholder="CRM sync"
        value={description}
        onValue={setDescription}
        maxLength={255}
        error={action.errorOf('description')}
      />
      <SelectField
        label="Sends"
        hint={payload === 'full' ? 'Personal data leaves Roster with each event.' : undefined}
        value={payload}
        onValue={setPayload}
        choices={payloads}
      />
      <Checks
        label="Events"
        choices={groupChoices}
        chosen={events}
        onChosen={(kinds) => setEvents([...kinds, ...events.filter((one) => !one.endsWith('.*'))])}
        error={errorAbout(action.error, (field) => field.startsWith('events'))}
      />
      <details class="fold" open={webhook?.events.some((one) => !one.endsWith('.*')) ?? false}>
        <summary>Choose single events</summary>
        <Checks
          label="Single events"
          choices={singleChoices(events)}
          chosen={events}
          onChosen={(types) => setEvents([...events.filter((one) => one.endsWith('.*')), ...types])}
        />
      </details>
      {chatbots.length > 1 && (
        <Checks
          label="Chatbots"
          hint="Tick some to get only what is about them; none for everything."
          choices={chatbots.map(({ id, name }) => [id, name] as const)}
          chosen={only}
          onChosen={setOnly}
        />
      )}
    </FormDialog>
  );
}

/** What is unchanged stays unchecked, and whoever changes the rest of a webhook is its maker. */
function differing<Input extends Partial<Webhook>>(input: Input, webhook: Webhook): Partial<Input> {
  const isNew = ([name, value]: [string, unknown]) => JSON.stringify(value) !== JSON.stringify(webhook[name as 'url']);
  return Object.fromEntries(Object.entries(input).filter(isNew)) as Partial<Input>;
}

/** The one time that a secret is shown. */
export function KeepSecret({ secret }: { secret: string }) {
  return (
    <>
      <Secret takesFocus label="Secret" text={secret} hint="Copy it now: Roster cannot show it again." />
      <p class="prose">
        <span>
          Requests are signed with it. <SignatureLink>Check the signature</SignatureLink> before you trust a request.
        </span>
      </p>
    </>
  );
}

export function SignatureLink({ children }: { children: string }) {
  return (
    <a href="https://www.standardwebhooks.com" target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}
