import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';

import { roster } from '../../api.ts';
import { useSession } from '../../session.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { messageOf } from '../../ui/failed.tsx';
import { Menu } from '../../ui/menu.tsx';
import { toast } from '../../ui/toast.tsx';
import { useAction } from '../../use-action.ts';
import { restorePeople } from '../contacts/changing.ts';
import { keyOf } from '../contacts/person.ts';
import { addressOf } from '../contacts/view.ts';
import type { Sheet } from './held.ts';

/** Actions that remove a contact from the list. */
export function Actions({ chatbotId, person: { id }, isBin, list }: Sheet) {
  const { route } = useLocation();
  const { can, bin_days: binDays } = useSession();
  const [isPurging, setPurging] = useState(false);
  const input = { chatbotId, contactId: id };
  const place = { chatbot_id: chatbotId, id };
  const isKept = isBin || binDays > 0;
  const leave = () => {
    const putBack = list.remove(new Set([keyOf(place)]));
    route(addressOf(list.view));
    return putBack;
  };
  const remove = useAction(async () => {
    try {
      await roster.deleteContact(input);
    } catch (error) {
      toast(messageOf(error as Error));
      return;
    }
    const putBack = leave();
    const undo = () => void restorePeople([place]).then((back) => putBack(back));
    toast({ text: 'The contact was moved to the bin', action: { label: 'Undo', run: undo } });
  });
  const purge = async () => {
    await roster.deleteContact({ ...input, ...(isKept && { purge: true }) });
    leave();
    toast('The contact was deleted for good');
  };
  if (!can('contacts:write')) return null;
  return (
    <>
      {!isBin && (
        <IconButton
          icon="trash"
          label="Delete"
          aria-disabled={remove.isBusy}
          onClick={() => (isKept ? void remove.run() : setPurging(true))}
        />
      )}
      {isKept && (
        <Menu
          label="More"
          items={[{ label: 'Delete for good…', icon: 'trash', isDanger: true, run: () => setPurging(true) }]}
        />
      )}
      {isPurging && (
        <Confirm
          title="Delete this contact for good?"
          verb="Delete for good"
          typed="delete"
          perform={purge}
          onClose={() => setPurging(false)}
        >
          <p>
            All data of this person is deleted. Nobody can restore it
            {isKept && ', not from the bin either'}.
          </p>
        </Confirm>
      )}
    </>
  );
}
