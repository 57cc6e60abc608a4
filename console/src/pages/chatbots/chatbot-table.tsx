import { useSession } from '../../session.tsx';
import type { Chatbot } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { DeleteChatbot, EditChatbot } from './chatbot-dialogs.tsx';

export function ChatbotTable({ chatbots }: { chatbots: readonly Chatbot[] }) {
  const { can } = useSession();
  return (
    <Table
      rows={chatbots}
      nameOf={({ name }) => name}
      columns={{
        Chatbot: ({ id, name }) =>
          can('contacts:read') ? <a href={`/console/contacts?chatbot=${encodeURIComponent(id)}`}>{name}</a> : name,
        Id: ({ id, name }) => (
          <span class="row row-tight">
            <span class="mono small">{id}</span>
            <CopyButton text={id} label={`Copy the id of ${name}`} isIcon />
          </span>
        ),
        Visibility: ({ visibility }) => <Badge tone={visibility === 'public' ? 'accent' : 'plain'}>{visibility}</Badge>,
        Created: ({ created_at: created }) => <Time value={created} />,
      }}
      actionsOf={() => [
        can('chatbots:write') && { label: 'Change', dialog: EditChatbot },
        can('administration') && { label: 'Delete', dialog: DeleteChatbot, isDanger: true },
      ]}
    />
  );
}
