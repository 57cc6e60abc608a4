import { roster } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/failed.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import { useAction } from '../../use-action.ts';
import type { PeopleList } from '../contacts/list.ts';
import { keyOf, wholeInclude } from '../contacts/person.ts';
import { type Held, heldOf } from './held.ts';

interface BinNoteProps {
  chatbotId: string;
  contactId: string;
  held: Held;
  set: (held: Held) => void;
  list: PeopleList;
}

/** Above a contact that was deleted, and can come back. */
export function BinNote({ chatbotId, contactId, held: { person }, set, list }: BinNoteProps) {
  const restore = useAction(async () => {
    set(heldOf(await roster.restoreContact({ chatbotId, contactId, include: wholeInclude }).withResponse()));
    if (list.view?.isBin === true) list.remove(new Set([keyOf({ chatbot_id: chatbotId, id: contactId })]));
    toast('The contact was restored');
  });
  return (
    <div class="bin-note note note-warn row">
      <Icon name="trash" />
      <span>
        In the bin since <Time value={person.deleted_at ?? ''} />. Searches and counts leave this contact out.
      </span>
      <Button kind="primary" isBusy={restore.isBusy} onClick={() => void restore.run()}>
        Restore
      </Button>
      <ErrorNote error={restore.error} />
    </div>
  );
}
