import './contacts.css';
import { useSession } from '../../session.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { useChatbots } from '../../use-chatbots.ts';
import { NoChatbots } from './empty.tsx';
import { People } from './people.tsx';

/** The people whom the chatbots of the project have met. They come without waiting for the chatbots. */
export function Contacts() {
  const { session } = useSession();
  const { data: chatbots } = useChatbots();
  if (chatbots?.length !== 0) return <People key={session.id} chatbots={chatbots ?? []} />;
  return (
    <>
      <PageHead title="Contacts" />
      <NoChatbots />
    </>
  );
}
