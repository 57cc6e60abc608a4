import { useLocation } from 'preact-iso';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

import { hasDraftsIn } from '../../drafts.ts';
import { useSession } from '../../session.tsx';
import { useKeys } from '../../ui/keys.ts';
import { toast } from '../../ui/toast.tsx';
import { useList } from '../contacts/use-list.ts';
import { contactAddress } from '../contacts/view.ts';
import { About } from './about.tsx';
import { BinNote } from './bin-note.tsx';
import { ConflictDialog } from './conflict-dialog.tsx';
import { FieldsCard } from './fields-card.tsx';
import { headingOf } from './fields.ts';
import { Head } from './head.tsx';
import type { Held } from './held.ts';
import { HistoryCard } from './history-card.tsx';
import { MergesCard } from './merges-card.tsx';
import { Neighbours } from './neighbours.tsx';
import { useSaving } from './saving.ts';

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
  const { person, isBin } = held;
  const mayWrite = can('contacts:write') && !isBin;
  const drafts = `${chatbotId}/${contactId}`;
  const { page, ...edits } = useEdits();
  const editing = { place: drafts, person, mayWrite, save, ...edits };
  const focused = () => fieldAtFocus() ?? headingOf(person);
  useKeys(mayWrite ? [{ keys: 'e', label: 'Edit the field', run: () => edits.edit(focused()) }] : []);
  useEffect(
    () => () => {
      if (!hasDraftsIn(drafts)) return;
      const path = contactAddress(chatbotId, contactId);
      toast({ text: 'Your changes are not saved', action: { label: 'Back to them', run: () => route(path) } });
    },
    [drafts],
  );
  return (
    <div class="contact" ref={page}>
      <Neighbours {...place} route={route} />
      {isBin && <BinNote {...place} />}
      <Head editing={editing} actions={{ ...place, route }} done={done} />
      <div class="contact-columns">
        <FieldsCard {...editing} />
        <div class="cards">
          {!isBin && <MergesCard {...place} />}
          {can('events:read') && <HistoryCard {...place} />}
          <About chatbotId={chatbotId} contactId={contactId} person={person} />
        </div>
      </div>
      {conflict && <ConflictDialog {...conflict} />}
    </div>
  );
}

/** The field that is being edited. Where it stood before gets the focus back. */
function useEdits() {
  const page = useRef<HTMLDivElement>(null);
  const [edited, edit] = useState<string>();
  const closed = useRef<string | undefined>(undefined);
  const close = (name: string) => {
    closed.current = name;
    edit(undefined);
  };
  // Not in the next frame: a key pressed before it would go to the page.
  useLayoutEffect(() => {
    if (edited !== undefined || closed.current === undefined) return;
    page.current?.querySelector<HTMLElement>(`[data-edit="${closed.current}"]`)?.focus();
    closed.current = undefined;
  }, [edited]);
  return { page, edited, edit, close };
}

/** The field that has the keyboard. */
function fieldAtFocus(): string | undefined {
  return document.activeElement?.closest<HTMLElement>('[data-field]')?.dataset['field'];
}
