import { errorAbout, roster } from '../../api.ts';
import { curlFor } from '../../curl.ts';
import type { Webhook } from '../../types.ts';
import { Secret } from '../../ui/copy.tsx';
import { Checks, SelectField, TextField } from '../../ui/field.tsx';
import { FormDialog, type Made, useForm } from '../../ui/form.tsx';
import { useChatbots } from '../../use-chatbots.ts';
import { groupChoices, isGroup, singleChoices } from './words.tsx';

const payloads = {
  thin: 'Ids and names of fields, no personal data',
  full: 'The whole contact or member as well',
};

/** Creates a webhook, or changes the given one. */
export function WebhookForm({ webhook, onClose }: { webhook?: Webhook; onClose: () => void }) {
  const { data: chatbots = [] } = useChatbots();
  const { url = '', description, events = [], chatbot_ids: only, payload = 'thin' } = webhook ?? {};
  const given = { url, description: description ?? '', events, chatbot_ids: only ?? [], payload };
  const perform = async (): Promise<Made | string> => {
    if (!webhook) return madeSecret('the secret', await roster.createWebhook(input));
    await roster.updateWebhook(changes);
    return 'The webhook was changed';
  };
  const form = useForm(given, perform, onClose);
  const { values, field } = form;
  const input = {
    ...form.input,
    description: form.input.description || null,
    chatbot_ids: values.chatbot_ids.length > 0 ? values.chatbot_ids : null,
  };
  // What is unchanged stays unchecked, and whoever changes the rest of a webhook is its maker.
  const isNew = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(webhook?.[name as 'url']);
  const changes = { webhookId: webhook?.id ?? '', ...Object.fromEntries(Object.entries(input).filter(isNew)) };
  const groups = values.events.filter(isGroup);
  const singles = values.events.filter((one) => !isGroup(one));
  return (
    <FormDialog
      title={webhook ? 'Change the webhook' : 'Create a webhook'}
      action={form}
      verb={webhook ? 'Save' : 'Create'}
      isReady={values.events.length > 0}
      isMaking={!webhook}
      curl={webhook ? curlFor('updateWebhook', changes) : curlFor('createWebhook', input)}
      onClose={onClose}
    >
      <TextField
        label="URL"
        type="url"
        hint="Of the service that gets the events: https, at a public address."
        placeholder="https://example.com/hooks/roster"
        {...field('url')}
        maxLength={2_048}
        required
      />
      <TextField
        label="Description"
        hint="For people, if you like."
        placeholder="CRM sync"
        {...field('description')}
        maxLength={255}
      />
      <SelectField
        label="Sends"
        hint={values.payload === 'full' ? 'Personal data leaves Roster with each event.' : undefined}
        choices={payloads}
        {...field('payload')}
      />
      <Checks
        label="Events"
        choices={groupChoices}
        value={groups}
        onValue={(kinds) => form.set({ events: [...kinds, ...singles] })}
        error={errorAbout(form.error, (name) => name.startsWith('events'))}
      />
      <details class="fold" open={events.some((one) => !isGroup(one))}>
        <summary>Choose single events</summary>
        <Checks
          label="Single events"
          choices={singleChoices(groups)}
          value={singles}
          onValue={(types) => form.set({ events: [...groups, ...types] })}
        />
      </details>
      {chatbots.length > 1 && (
        <Checks
          label="Chatbots"
          hint="Select some to get only their events, or none to get all events."
          choices={chatbots.map(({ id, name }) => [id, name] as const)}
          {...field('chatbot_ids')}
        />
      )}
    </FormDialog>
  );
}

/** A secret is shown this one time. */
export function madeSecret(what: string, made: { secret: string | null } | null) {
  const shown = (
    <>
      <Secret label="Secret" text={made?.secret ?? ''} hint="Copy it now: Roster cannot show it again." />
      <p class="prose">
        <span>
          Requests are signed with it. <SignatureLink>Check the signature</SignatureLink> before you trust a request.
        </span>
      </p>
    </>
  );
  return { title: `Copy ${what}`, shown };
}

export function SignatureLink({ children }: { children: string }) {
  return (
    <a href="https://www.standardwebhooks.com" target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}
