import { useEffect, useState } from 'preact/hooks';

import { roster } from '../../api.ts';
import { useQuery } from '../../query.ts';
import type { Delivery, Webhook } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, Item } from '../../ui/card.tsx';
import { ErrorNote } from '../../ui/failed.tsx';
import { sentence } from '../../ui/field.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Time } from '../../ui/time.tsx';
import { useAction } from '../../use-action.ts';
import { answerOf, labelOf } from './words.tsx';

export function Deliveries({ webhook }: { webhook: Webhook }) {
  const [failed, setFailed] = useState(false);
  const load = (cursor = '*', signal?: AbortSignal) =>
    roster.listDeliveries({ webhookId: webhook.id, failed, cursor }, { ...(signal && { signal }) });
  const { data, error, set, reload } = useQuery(['webhooks', webhook.id, String(failed)], (signal) =>
    load('*', signal),
  );
  useEffect(reload, [JSON.stringify(webhook)]);
  const older = useAction(async () => {
    const { deliveries, next_cursor } = await load(data?.next_cursor ?? '*');
    set({ deliveries: [...(data?.deliveries ?? []), ...deliveries], next_cursor });
  });
  return (
    <Card
      title="Deliveries"
      about="The last 1,000 attempts, and those of thirty days that failed."
      actions={
        <Button isSmall aria-pressed={failed} onClick={() => setFailed(!failed)}>
          Only failed
        </Button>
      }
      isFlush
    >
      <ErrorNote error={error ?? older.error} />
      {!data && !error && <Loading />}
      {data?.deliveries.length === 0 && (
        <p class="card-body soft">{failed ? 'Nothing failed.' : 'Nothing was sent yet.'}</p>
      )}
      <ul>
        {data?.deliveries.map((one) => (
          <Attempt key={`${one.event_id} ${one.attempt} ${one.at}`} delivery={one} />
        ))}
      </ul>
      {data?.next_cursor != null && (
        <div class="card-body">
          <Button isSmall isBusy={older.isBusy} onClick={() => void older.run()}>
            Older
          </Button>
        </div>
      )}
    </Card>
  );
}

const badges: Record<Delivery['outcome'], readonly [tone: 'good' | 'warn' | 'plain', text: string]> = {
  delivered: ['good', 'Delivered'],
  retrying: ['warn', 'Retrying'],
  failed: ['plain', 'Failed'],
  given_up: ['warn', 'Given up'],
};

function Attempt({ delivery }: { delivery: Delivery }) {
  const { type, at, attempt, outcome, next_attempt_at: next } = delivery;
  const [tone, text] = badges[outcome];
  return (
    <Item
      title={labelOf(type)}
      about={
        <>
          {sentence(answerOf(delivery))}
          {attempt > 1 && `, attempt ${attempt}`}
          {next !== null && (
            <>
              , next attempt <Time value={next} />
            </>
          )}
        </>
      }
    >
      <Badge tone={tone}>{text}</Badge>
      <span class="soft small">
        <Time value={at} />
      </span>
    </Item>
  );
}
