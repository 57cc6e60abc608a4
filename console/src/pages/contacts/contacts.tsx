import './contacts.css';
import { useLocation } from 'preact-iso';

import { useSession } from '../../session.tsx';
import { NotLoaded } from '../../ui/failed.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { useChatbots, useChosen } from '../../use-chatbots.ts';
import { NoChatbots } from './empty.tsx';
import { People } from './people.tsx';

/** The people whom a chatbot has met. */
export function Contacts() {
  const { query } = useLocation();
  const { session } = useSession();
  const { data: chatbots, error, reload } = useChatbots();
  const chosen = useChosen(chatbots, query['chatbot']);
  if (chatbots && chosen) return <People key={session.id} chatbots={chatbots} chosen={chosen} />;
  return (
    <>
      <PageHead title="Contacts" />
      {chatbots ? <NoChatbots /> : <NotLoaded error={error} retry={reload} />}
    </>
  );
}
