import type { ComponentChildren } from 'preact';
import { useRoute } from 'preact-iso';
import { useEffect, useState } from 'preact/hooks';

import { roster } from '../../api.ts';
import { curlFor } from '../../curl.ts';
import { useNames } from '../../names.ts';
import { useQuery } from '../../query.ts';
import { useSession } from '../../session.tsx';
import type { Webhook as WebhookData, WebhookTest } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ErrorNote, NotLoaded } from '../../ui/failed.tsx';
import { Menu } from '../../ui/menu.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import { number } from '../../usage.ts';
import { useAction } from '../../use-action.ts';
import { Deliveries } from './deliveries.tsx';
import { DeleteWebhook, Replay, RotateSecret } from './webhook-dialogs.tsx';
import { SignatureLink, WebhookForm } from './webhook-form.tsx';
import { answerOf, eventsOf, nameOf, State } from './words.tsx';

const newsMs = 3_000;

export function Webhook() {
  const { webhookId = '' } = useRoute().params;
  const { data, error, reload } = useQuery(['webhooks', webhookId], (signal) =>
    roster.retrieveWebhook({ webhookId }, { signal }),
  );
  useEffect(() => {
    // Nobody is at a hidden tab: asking would keep them signed in.
    const timer = setInterval(() => document.hidden || reload(), newsMs);
    return () => clearInterval(timer);
  }, [reload]);
  if (!data) return <NotLoaded error={error} retry={reload} />;
  return <Known webhook={data} />;
}

const dialogs = { change: WebhookForm, rotate: RotateSecret, replay: Replay, remove: DeleteWebhook };

function Known({ webhook }: { webhook: WebhookData }) {
  const { can } = useSession();
  const { id: webhookId, state } = webhook;
  const [open, setOpen] = useState<keyof typeof dialogs>();
  const [tested, setTested] = useState<WebhookTest>();
  const test = useAction(async () => setTested(await roster.testWebhook({ webhookId })));
  const isOff = state === 'disabled';
  const turn = useAction(async () => {
    await roster.updateWebhook({ webhookId, state: isOff ? 'active' : 'disabled' });
    toast(isOff ? 'The webhook continues from where it stopped' : 'Nothing more is sent');
  });
  const Opened = open && dialogs[open];
  return (
    <>
      <PageHead
        title={nameOf(webhook)}
        about={<State webhook={webhook} />}
        code={curlFor('testWebhook', { webhookId })}
      >
        {can('webhooks:write') && (
          <>
            <Button kind="primary" isBusy={test.isBusy} onClick={() => void test.run()}>
              Test
            </Button>
            <Button onClick={() => setOpen('change')}>Change</Button>
            <Menu
              label="More"
              items={[
                { label: 'Rotate the secret', run: () => setOpen('rotate') },
                { label: 'Replay events', run: () => setOpen('replay') },
                { label: isOff ? 'Enable' : 'Disable', run: () => void turn.run() },
                { label: 'Delete', run: () => setOpen('remove'), isDanger: true },
              ]}
            />
          </>
        )}
      </PageHead>
      <div class="cards">
        <ErrorNote error={test.error ?? turn.error} />
        <div role="status" class="error-place">
          {tested && (
            <p class={tested.delivered ? 'note' : 'note note-warn'}>
              {tested.delivered ? 'The test was delivered' : 'The test failed'}: {answerOf(tested)}.
            </p>
          )}
        </div>
        <Facts webhook={webhook} />
        <Deliveries webhook={webhook} />
      </div>
      {Opened && <Opened webhook={webhook} onClose={() => setOpen(undefined)} />}
    </>
  );
}

function Facts({ webhook }: { webhook: WebhookData }) {
  const { chatbot_ids: only, payload, last_success_at: last, next_attempt_at: next, behind } = webhook;
  const { chatbots } = useNames();
  const facts: Record<string, ComponentChildren> = {
    URL: <span class="mono">{webhook.url}</span>,
    Events: eventsOf(webhook),
    Chatbots: only === null ? 'All' : only.map((id) => chatbots.get(id) ?? 'a deleted chatbot').join(', '),
    Sends: payload === 'thin' ? 'Ids and names of fields' : 'The whole contact or member as well',
    'Last delivered': last === null ? 'Never' : <Time value={last} />,
    'Next attempt': next !== null && <Time value={next} />,
    Waiting: behind > 0 && `${number(behind)} later events to look at`,
    Signature: <SignatureLink>How to check it</SignatureLink>,
  };
  return (
    <Card title="Settings">
      <dl class="tiles">
        {Object.entries(facts).map(
          ([name, value]) =>
            value !== false && (
              <div key={name}>
                <dt>{name}</dt>
                <dd dir="auto">{value}</dd>
              </div>
            ),
        )}
      </dl>
    </Card>
  );
}
