import { call, roster } from '../../api.ts';
import { useQuery } from '../../query.ts';
import type { Contact } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { Card, Item } from '../../ui/card.tsx';
import { ErrorNote } from '../../ui/failed.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import { useAction } from '../../use-action.ts';
import { titleOf } from '../contacts/person.ts';
import { changeList } from '../contacts/use-list.ts';
import { labelOf } from './fields.ts';
import type { Sheet } from './held.ts';

interface Merges {
  merges: { merge_id: string; undo_until: string; contacts: Contact[] }[];
}

/** Undoes a merge, and tells what did not go back. */
export async function undoMerge(chatbotId: string, mergeId: string): Promise<void> {
  const { kept } = await roster.undoMerge({ chatbotId, mergeId });
  changeList();
  const fields = kept.map(labelOf).join(', ');
  toast(kept.length === 0 ? 'The merge was undone' : `The merge was undone. Changed since, and so kept: ${fields}`);
}

/** Who was merged into the contact, as long as it can be undone. */
export function MergesCard({ chatbotId, person: { id: contactId }, mayWrite }: Sheet) {
  const path = '/chatbots/{chatbotId}/contacts/{contactId}/merges';
  const { data } = useQuery(['contacts', chatbotId, contactId, 'merges'], (signal) =>
    call<Merges>('GET', path, { chatbotId, contactId }, { signal }),
  );
  const undo = useAction((mergeId: string) => undoMerge(chatbotId, mergeId));
  if (!data || data.merges.length === 0) return null;
  return (
    <Card title="Merged into this contact" isFlush>
      <ul>
        {data.merges.map(({ merge_id: id, undo_until: until, contacts }) => (
          <Item
            key={id}
            title={<bdi>{contacts.map(titleOf).join(', ')}</bdi>}
            about={
              <>
                Undo until <Time value={until} />
              </>
            }
          >
            {mayWrite && (
              <Button isSmall isBusy={undo.isBusy} onClick={() => void undo.run(id)}>
                Undo
              </Button>
            )}
          </Item>
        ))}
      </ul>
      <ErrorNote error={undo.error} />
    </Card>
  );
}
