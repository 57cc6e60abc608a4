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
import type { Held, Sheet } from './held.ts';
import { HistoryCard } from './history-card.tsx';
import { MergesCard } from './merges-card.tsx';
import { Neighbours } from './neighbours.tsx';
import { useSaving } from './saving.ts';

export function ContactSheet({ chatbotId, held, set }: { held: Held } & Pick<Sheet, 'chatbotId' | 'set'>) {
  const { session, can } = useSession();
  const list = useList(session.id);
  const { route } = useLocation();
  const { person, isBin } = held;
  const { save, conflict } = useSaving({ chatbotId, held, set, list });
  const mayWrite = can('contacts:write') && !isBin;
  const place = `${chatbotId}/${person.id}`;
  const { page, edited, edit, close } = useEdits();
  const editing = { mayWrite, edited: mayWrite ? edited : undefined, edit, close, save };
  const sheet: Sheet = { ...held, ...editing, chatbotId, place, list, set };
  const focused = () => fieldAtFocus() ?? headingOf(person);
  useKeys(mayWrite ? [{ keys: 'e', label: 'Edit the field', run: () => edit(focused()) }] : []);
  useEffect(
    () => () => {
      if (!hasDraftsIn(place)) return;
      const path = contactAddress(chatbotId, person.id);
      toast({ text: 'Your changes are not saved', action: { label: 'Back to them', run: () => route(path) } });
    },
    [place],
  );
  return (
    <div class="contact" ref={page}>
      <Neighbours {...sheet} />
      {isBin && <BinNote {...sheet} />}
      <Head {...sheet} />
      <div class="contact-columns">
        <FieldsCard {...sheet} />
        <div class="cards">
          {!isBin && <MergesCard {...sheet} />}
          {can('events:read') && <HistoryCard {...sheet} />}
          <About {...sheet} />
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
