import { useSession } from '../../session.tsx';
import type { Chatbot } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { number } from '../../usage.ts';
import { DeleteChatbot, EditChatbot, visibilities } from './chatbot-dialogs.tsx';

export function ChatbotTable({ chatbots }: { chatbots: readonly Chatbot[] }) {
  const { can } = useSession();
  return (
    <Table
      rows={chatbots}
      nameOf={({ name }) => name}
      columns={{
        Chatbot: ({ id, name }) =>
          can('contacts:read') ? (
            <a href={`/console/contacts?chatbot=${encodeURIComponent(id)}`} dir="auto">
              {name}
            </a>
          ) : (
            <bdi>{name}</bdi>
          ),
        Contacts: ({ contact_count: count }) => <span class="number">{count === undefined ? '' : number(count)}</span>,
        Visibility: ({ visibility }) => (
          <Badge tone={visibility === 'public' ? 'accent' : 'plain'}>{visibilities[visibility]}</Badge>
        ),
        Created: ({ created_at: created }) => <Time value={created} />,
        Id: ({ id }) => <span class="mono small">{id}</span>,
      }}
      actionsOf={() => [
        can('chatbots:write') && { label: 'Edit', dialog: EditChatbot },
        can('administration') && { label: 'Delete', dialog: DeleteChatbot, isDanger: true },
      ]}
    />
  );
}
