import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import { roster } from '../../api.ts';
import { curlFor } from '../../curl.ts';
import { useFocusAfterRemoval } from '../../layout/focus.ts';
import { useQuery } from '../../query.ts';
import { useSession } from '../../session.tsx';
import type { Chatbot } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { NotLoaded } from '../../ui/failed.tsx';
import { useKeys } from '../../ui/keys.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { isLimited, number } from '../../usage.ts';
import { CreateChatbot } from './chatbot-dialogs.tsx';
import { ChatbotTable } from './chatbot-table.tsx';

export function Chatbots() {
  const { can, project } = useSession();
  const { data, error, reload } = useQuery(['chatbots', 'counted'], (signal) =>
    Array.fromAsync(roster.listChatbots({ include: ['contact_count'] }, { signal })),
  );
  const [isCreating, setCreating] = useState(false);
  useFocusAfterRemoval(data?.length);
  const mayWrite = can('chatbots:write');
  useKeys(mayWrite ? [{ keys: 'n', label: 'Create a chatbot', run: () => setCreating(true) }] : []);
  const create = mayWrite && (
    <Button kind="primary" icon="plus" onClick={() => setCreating(true)}>
      Create chatbot
    </Button>
  );
  return (
    <>
      <PageHead title="Chatbots" about={data && <Count chatbots={data} />} code={commandsFor(project.id)}>
        {create}
      </PageHead>
      {!data && <NotLoaded error={error} retry={reload} />}
      {data && data.length > 0 && <ChatbotTable chatbots={data} />}
      {data?.length === 0 && <NoChatbots actions={create} />}
      {isCreating && <CreateChatbot onClose={() => setCreating(false)} />}
    </>
  );
}

function commandsFor(projectId: string): string {
  const command = `roster chatbots create --project ${projectId} --name "Front desk"`;
  return `${command}\n\n${curlFor('createChatbot', { name: 'Front desk' })}`;
}

/** How many there are, with the limit for those who may see it. */
function Count({ chatbots }: { chatbots: readonly Chatbot[] }) {
  const { can } = useSession();
  const { data: usage } = useQuery(['usage', 'chatbots'], async (signal) =>
    can('project:read') ? roster.retrieveChatbotUsage({ signal }) : undefined,
  );
  if (usage && isLimited(usage)) return `${number(usage.used)} of ${number(usage.max)} chatbots`;
  return chatbots.length === 1 ? 'One chatbot' : `${number(chatbots.length)} chatbots`;
}

function NoChatbots({ actions }: { actions: VNode | false }) {
  return (
    <Empty icon="chatbots" title="No chatbots yet" actions={actions}>
      <p>Every contact belongs to a chatbot. Create one, then import or add contacts.</p>
    </Empty>
  );
}
