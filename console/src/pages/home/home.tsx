import { useSession } from '../../session.tsx';
import { NotLoaded } from '../../ui/failed.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { number } from '../../usage.ts';
import { useCountedChatbots } from '../../use-chatbots.ts';
import { FirstScreen } from '../elsewhere.tsx';
import { Added } from './added.tsx';
import { Checklist } from './checklist.tsx';
import { Imports } from './imports.tsx';
import { Waiting } from './waiting.tsx';

import './home.css';

/** What happens and what waits; for a new owner, how to begin. Those who see no contacts begin elsewhere. */
export function Home() {
  return useSession().can('contacts:read') ? <Overview /> : <FirstScreen />;
}

function Overview() {
  const { can } = useSession();
  const { data: chatbots, error, reload } = useCountedChatbots();
  if (!chatbots) {
    return (
      <>
        <PageHead title="Home" />
        <NotLoaded error={error} retry={reload} />
      </>
    );
  }
  const total = chatbots.reduce((sum, { contact_count: count = 0 }) => sum + count, 0);
  if (total === 0 && can('contacts:write')) return <Checklist hasChatbots={chatbots.length > 0} />;
  const where = chatbots.length === 1 ? 'one chatbot' : `${number(chatbots.length)} chatbots`;
  return (
    <>
      <PageHead title="Home" about={`${number(total)} ${total === 1 ? 'contact' : 'contacts'} in ${where}`} />
      <div class="home">
        <Added />
        <Waiting chatbots={chatbots} />
        {can('events:read') && <Imports />}
      </div>
    </>
  );
}
