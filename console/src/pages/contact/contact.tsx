import './contact.css';
import { useRoute } from 'preact-iso';
import { useRef } from 'preact/hooks';

import { RosterError, statusOf } from '../../api.ts';
import { hasDraftsIn } from '../../drafts.ts';
import { useQuery } from '../../query.ts';
import { useSession } from '../../session.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { NotLoaded } from '../../ui/failed.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { addressOf, contactAddress, noFilters } from '../contacts/view.ts';
import { type Held, loadContact } from './held.ts';
import { ContactSheet } from './sheet.tsx';

/** A person, with everything that is known and has happened. */
export function Contact() {
  const { chatbotId = '', contactId = '' } = useRoute().params;
  return <Loaded key={`${chatbotId}/${contactId}`} chatbotId={chatbotId} contactId={contactId} />;
}

function Loaded({ chatbotId, contactId }: { chatbotId: string; contactId: string }) {
  const { can } = useSession();
  const { data, error, reload, set } = useQuery(['contacts', chatbotId, contactId], (signal) =>
    loadContact(chatbotId, contactId, can('contacts:write'), signal),
  );
  const held = useRef(data);
  // Whoever types goes by what they have seen: a change of others asks them when they save.
  if (held.current === undefined || !hasDraftsIn(`${chatbotId}/${contactId}`)) held.current = data;
  const keep = (next: Held) => set((held.current = next));
  const isGone = statusOf(error) === 404 || statusOf(error) === 410;
  if (held.current && !isGone) return <ContactSheet chatbotId={chatbotId} held={held.current} set={keep} />;
  return (
    <>
      <PageHead title="Contact" />
      {isGone ? <Gone chatbotId={chatbotId} error={error} /> : <NotLoaded error={error} retry={reload} />}
    </>
  );
}

/** In place of a contact that was merged into another one, or deleted for good. */
function Gone({ chatbotId, error }: { chatbotId: string; error: Error | undefined }) {
  if (error instanceof RosterError && error.mergedInto !== undefined) {
    const staying = contactAddress(chatbotId, error.mergedInto);
    return (
      <Empty
        icon="contacts"
        title="This contact was merged"
        actions={<ButtonLink href={staying}>Open the contact that stays</ButtonLink>}
      >
        <p>Somebody merged it into another contact of the same person.</p>
      </Empty>
    );
  }
  return (
    <Empty
      icon="contacts"
      title="This contact is not there"
      actions={<ButtonLink href={addressOf({ ...noFilters, chatbotId })}>Contacts</ButtonLink>}
    >
      <p>It was deleted for good, or the link is not complete. If the contact is in the bin, look for it there.</p>
    </Empty>
  );
}
