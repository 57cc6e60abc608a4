import { useLocation } from 'preact-iso';
import { useEffect, useState } from 'preact/hooks';

import { hasDraftsIn } from '../../drafts.ts';
import { useSession } from '../../session.tsx';
import { useKeys } from '../../ui/keys.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { toast } from '../../ui/toast.tsx';
import { titleOf } from '../contacts/person.ts';
import { Sign } from '../contacts/sign.tsx';
import { useList } from '../contacts/use-list.ts';
import { contactAddress } from '../contacts/view.ts';
import { About } from './about.tsx';
import { Actions } from './actions.tsx';
import { AttributesCard } from './attributes-card.tsx';
import { BinNote } from './bin-note.tsx';
import { ConflictDialog } from './conflict-dialog.tsx';
import { FieldsCard } from './fields-card.tsx';
import type { Held } from './held.ts';
import { HistoryCard } from './history-card.tsx';
import { Neighbours } from './neighbours.tsx';
import { useSaving } from './saving.ts';
import { TagsCard } from './tags-card.tsx';

interface SheetProps {
  chatbotId: string;
  contactId: string;
  held: Held;
  set: (held: Held) => void;
}

export function Sheet({ chatbotId, contactId, held, set }: SheetProps) {
  const { session, can } = useSession();
  const list = useList(session.id);
  const { route } = useLocation();
  const place = { chatbotId, contactId, held, set, list };
  const { save, conflict, done } = useSaving(place);
  const [edited, edit] = useState<string>();
  const { person, isBin } = held;
  const mayWrite = can('contacts:write') && !isBin;
  useKeys(mayWrite ? [{ keys: 'e', label: 'Edit the field', run: () => edit(fieldAtFocus()) }] : []);
  const drafts = `${chatbotId}/${contactId}`;
  useEffect(
    () => () => {
      if (!hasDraftsIn(drafts)) return;
      const path = contactAddress(chatbotId, contactId);
      toast({ text: 'Your changes are not saved', action: { label: 'Back to them', run: () => route(path) } });
    },
    [drafts],
  );
  const about = [person.job_title, person.company].filter((text) => text !== null).join(' · ');
  return (
    <div class="contact">
      <Neighbours {...place} route={route} />
      <div class="contact-head">
        <Sign person={person} />
        <PageHead title={titleOf(person)} tab="Contact" about={about === '' ? undefined : about}>
          <Actions {...place} route={route} />
        </PageHead>
      </div>
      {isBin && <BinNote {...place} />}
      <div class="contact-columns">
        <div class="cards">
          <FieldsCard place={drafts} person={person} mayWrite={mayWrite} edited={edited} edit={edit} save={save} />
          <TagsCard place={drafts} chatbotId={chatbotId} person={person} mayWrite={mayWrite} save={save} />
          <AttributesCard place={drafts} person={person} mayWrite={mayWrite} save={save} />
        </div>
        <div class="cards">
          <About chatbotId={chatbotId} contactId={contactId} person={person} done={done} />
          <HistoryCard chatbotId={chatbotId} contactId={contactId} />
        </div>
      </div>
      {conflict && <ConflictDialog {...conflict} />}
    </div>
  );
}

/** The field that has the keyboard, else the first. */
function fieldAtFocus(): string {
  const field = document.activeElement?.closest<HTMLElement>('[data-field]');
  return field?.dataset['field'] ?? 'name';
}
