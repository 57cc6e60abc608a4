import { roster } from '../../api.ts';
import { curlFor } from '../../curl.ts';
import { useQuery } from '../../query.ts';
import { useSession } from '../../session.tsx';
import { ListPage } from '../../ui/list-page.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { eventsOf, hostOf, nameOf, State } from './words.tsx';

const example = { url: 'https://example.com/hooks/roster', events: ['contact.*' as const] };

/** None for those who may not see them. */
export function useWebhooks() {
  const { can } = useSession();
  return useQuery(['webhooks'], async (signal) =>
    can('webhooks:read') ? Array.fromAsync(roster.listWebhooks({ per_page: 100 }, { signal })) : [],
  );
}

export function Webhooks() {
  const { can } = useSession();
  const loaded = useWebhooks();
  const { data = [] } = loaded;
  return (
    <ListPage
      title="Webhooks"
      about="Roster posts what happens to other services, such as a CRM or n8n."
      code={curlFor('createWebhook', example)}
      loaded={loaded}
      count={data.length}
      create={can('webhooks:write') && { label: 'Create a webhook', dialog: WebhookForm }}
      empty={{
        icon: 'webhooks',
        title: 'No webhook yet',
        text: 'A webhook tells another service at once that a contact was added or changed, so that it need not ask.',
      }}
    >
      {data.length > 0 && (
        <Table
          rows={data}
          nameOf={nameOf}
          columns={{
            Webhook: (one) => (
              <a href={`/console/webhooks/${one.id}`} dir="auto">
                {nameOf(one)}
              </a>
            ),
            'Goes to': (one) => <span class="table-whole">{hostOf(one)}</span>,
            Events: (one) => <span class="table-whole">{eventsOf(one)}</span>,
            State: (one) => <State webhook={one} />,
            'Last delivered': ({ last_success_at: at }) =>
              at === null ? <span class="soft">never</span> : <Time value={at} />,
          }}
          actionsOf={() => []}
        />
      )}
    </ListPage>
  );
}
