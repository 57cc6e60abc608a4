import { roster } from '../../api.ts';
import { curlFor } from '../../curl.ts';
import { useQuery } from '../../query.ts';
import { useSession } from '../../session.tsx';
import type { Chatbot } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { ListPage } from '../../ui/list-page.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { isLimited, number } from '../../usage.ts';
import { useCountedChatbots } from '../../use-chatbots.ts';
import { CreateChatbot, DeleteChatbot, EditChatbot, visibilities } from './chatbot-dialogs.tsx';

export function Chatbots() {
  const { can, project } = useSession();
  const loaded = useCountedChatbots();
  const { data = [] } = loaded;
  return (
    <ListPage
      title="Chatbots"
      about={loaded.data && <Count count={data.length} />}
      code={`roster chatbots create --project ${project.id} --name "Front desk"\n\n${curlFor('createChatbot', { name: 'Front desk' })}`}
      loaded={loaded}
      count={data.length}
      create={can('chatbots:write') && { label: 'Create chatbot', dialog: CreateChatbot }}
      empty={{
        icon: 'chatbots',
        title: 'No chatbots yet',
        text: 'Every contact belongs to a chatbot. Create one, then import or add contacts.',
      }}
    >
      {data.length > 0 && <ChatbotTable chatbots={data} />}
    </ListPage>
  );
}

/** How many there are, with the limit for those who may see it. */
function Count({ count }: { count: number }) {
  const { can } = useSession();
  const { data: usage } = useQuery(['usage', 'chatbots'], async (signal) =>
    can('project:read') ? roster.retrieveChatbotUsage({ signal }) : undefined,
  );
  if (usage && isLimited(usage)) return `${number(usage.used)} of ${number(usage.max)} chatbots`;
  return count === 1 ? 'One chatbot' : `${number(count)} chatbots`;
}

function ChatbotTable({ chatbots }: { chatbots: readonly Chatbot[] }) {
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
