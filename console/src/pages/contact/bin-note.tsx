import { roster } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/failed.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import { useAction } from '../../use-action.ts';
import { keyOf, wholeInclude } from '../contacts/person.ts';
import { heldOf, type Sheet } from './held.ts';

/** Above a contact that was deleted, and can come back. */
export function BinNote({ chatbotId, person: { id, deleted_at: since }, set, list }: Sheet) {
  const restore = useAction(async () => {
    set(heldOf(await roster.restoreContact({ chatbotId, contactId: id, include: wholeInclude }).withResponse()));
    if (list.view.isBin) list.remove(new Set([keyOf({ chatbot_id: chatbotId, id })]));
    toast('The contact was restored');
  });
  return (
    <div class="bin-note note note-warn row">
      <Icon name="trash" />
      <span>
        In the bin since <Time value={since ?? ''} />. Searches and counts leave this contact out.
      </span>
      <Button kind="primary" isBusy={restore.isBusy} onClick={() => void restore.run()}>
        Restore
      </Button>
      <ErrorNote error={restore.error} />
    </div>
  );
}
