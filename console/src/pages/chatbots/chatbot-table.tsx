import { useSession } from '../../session.tsx';
import { Badge } from '../../ui/badge.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Time } from '../../ui/time.tsx';
import type { Chatbot } from '../../use-chatbots.ts';

interface ChatbotTableProps {
  chatbots: readonly Chatbot[];
  open: (what: 'edit' | 'delete', chatbot: Chatbot) => void;
}

export function ChatbotTable({ chatbots, open }: ChatbotTableProps) {
  return (
    <div class="card table-card">
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Chatbot</th>
            <th scope="col">Id</th>
            <th scope="col">Visibility</th>
            <th scope="col">Created</th>
            <th scope="col">
              <span class="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {chatbots.map((chatbot) => (
            <Row key={chatbot.id} chatbot={chatbot} open={open} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ chatbot, open }: Pick<ChatbotTableProps, 'open'> & { chatbot: Chatbot }) {
  const { can } = useSession();
  const { id, name, visibility, created_at: created } = chatbot;
  const items = [
    can('chatbots:write') && { label: 'Change', run: () => open('edit', chatbot) },
    can('administration') && { label: 'Delete', isDanger: true, run: () => open('delete', chatbot) },
  ].filter((item) => item !== false);
  return (
    <tr>
      <td class="table-main">
        {can('contacts:read') ? <a href={`/console/contacts?chatbot=${encodeURIComponent(id)}`}>{name}</a> : name}
      </td>
      <td data-label="Id">
        <span class="row row-tight">
          <span class="mono small">{id}</span>
          <CopyButton text={id} label={`Copy the id of ${name}`} isIcon />
        </span>
      </td>
      <td data-label="Visibility">
        <Badge tone={visibility === 'public' ? 'accent' : 'plain'}>{visibility}</Badge>
      </td>
      <td data-label="Created">
        <Time value={created} />
      </td>
      <td class="table-end">{items.length > 0 && <Menu label={`Actions for ${name}`} items={items} />}</td>
    </tr>
  );
}
