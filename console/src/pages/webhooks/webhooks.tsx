import { useState } from 'preact/hooks';

import { roster } from '../../api.ts';
import { curlFor } from '../../curl.ts';
import { useFocusAfterRemoval } from '../../layout/focus.ts';
import { useQuery } from '../../query.ts';
import { useSession } from '../../session.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { NotLoaded } from '../../ui/failed.tsx';
import { useKeys } from '../../ui/keys.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { State } from './state.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { eventsOf, hostOf, nameOf } from './words.ts';

const example = { url: 'https://example.com/hooks/roster', events: ['contact.*' as const] };

export function Webhooks() {
  const { can } = useSession();
  const { data, error, reload } = useQuery(['webhooks'], (signal) =>
    Array.fromAsync(roster.listWebhooks({ per_page: 100 }, { signal })),
  );
  const [isCreating, setCreating] = useState(false);
  const mayWrite = can('webhooks:write');
  useFocusAfterRemoval(data?.length);
  useKeys(mayWrite ? [{ keys: 'n', label: 'Create a webhook', run: () => setCreating(true) }] : []);
  const create = mayWrite && (
    <Button kind="primary" icon="plus" onClick={() => setCreating(true)}>
      Create a webhook
    </Button>
  );
  return (
    <>
      <PageHead
        title="Webhooks"
        about="Roster posts what happens to other services, such as a CRM or n8n."
        code={curlFor('createWebhook', example)}
      >
        {create}
      </PageHead>
      {!data && <NotLoaded error={error} retry={reload} />}
      {data?.length === 0 && (
        <Empty icon="webhooks" title="No webhook yet" actions={create}>
          <p>A webhook tells another service at once that a contact was added or changed, so that it need not ask.</p>
        </Empty>
      )}
      {data && data.length > 0 && (
        <Table
          rows={data}
          nameOf={nameOf}
          columns={{
            Webhook: (one) => (
              <a href={`/console/webhooks/${one.id}`} dir="auto">
                {nameOf(one)}
              </a>
            ),
            'Goes to': hostOf,
            Events: eventsOf,
            State: (one) => <State webhook={one} />,
            'Last delivered': ({ last_success_at: at }) =>
              at === null ? <span class="soft">never</span> : <Time value={at} />,
          }}
          actionsOf={() => []}
        />
      )}
      {isCreating && <WebhookForm onClose={() => setCreating(false)} />}
    </>
  );
}
