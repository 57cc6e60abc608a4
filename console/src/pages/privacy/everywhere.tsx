import { useState } from 'preact/hooks';

import { roster } from '../../api.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { ErrorNote } from '../../ui/failed.tsx';
import { Checks, TextField } from '../../ui/field.tsx';
import { useAction } from '../../use-action.ts';
import { useChatbots } from '../../use-chatbots.ts';
import { saveFile } from '../contacts/export.ts';
import { titleOf } from '../contacts/person.ts';
import { changeList } from '../contacts/use-list.ts';
import { counted } from '../contacts/view.ts';
import { type Found, placeOf } from './person.ts';
import type { Erased } from './receipt.tsx';

interface EverywhereProps {
  found: readonly Found[];
  onErased: (erased: Erased) => void;
}

/** The contacts of a person, of which some may be another one's, and what can be done with them. */
export function Everywhere({ found, onErased }: EverywhereProps) {
  const { data: chatbots = [] } = useChatbots();
  const [chosen, choose] = useState(() => found.filter((one) => one.isSure).map((one) => one.key));
  const [isErasing, setErasing] = useState(false);
  const [reference, setReference] = useState('');
  const contacts = found.flatMap(({ key, contact }) => (chosen.includes(key) ? placeOf(contact) : []));
  const nameOf = (chatbotId: string) => chatbots.find(({ id }) => id === chatbotId)?.name ?? chatbotId;
  const download = useAction(async () => {
    const file = new Blob([JSON.stringify(await roster.discloseContacts({ contacts }), null, 2)]);
    saveFile(file, `person-${new Date().toISOString().slice(0, 10)}.json`);
  });
  const erase = async () => {
    const receipt = await roster.eraseContacts({ contacts, reference: reference.trim() || undefined });
    changeList(contacts);
    onErased({ receipt, from: [...new Set(contacts.map((one) => nameOf(one.chatbot_id)))].toSorted() });
  };
  const choices = found.map(({ key, contact, isSure }) => {
    const name = (
      <span class="row">
        <strong dir="auto">{titleOf(contact)}</strong>
        {contact.merged_into !== undefined && <Badge>Merged</Badge>}
        {contact.deleted_at !== undefined && <Badge>In the bin</Badge>}
        {!isSure && <Badge tone="warn">Maybe another person</Badge>}
      </span>
    );
    return [key, name, [nameOf(contact.chatbot_id), contact.email, contact.phone].filter(Boolean).join(' · ')] as const;
  });
  const actions = (
    <>
      <Button
        icon="download"
        disabled={contacts.length === 0}
        isBusy={download.isBusy}
        onClick={() => void download.run()}
      >
        Download JSON
      </Button>
      <Button kind="danger" icon="trash" disabled={contacts.length === 0} onClick={() => setErasing(true)}>
        Erase…
      </Button>
    </>
  );
  return (
    <Card title="This person" about="The file has the events about them, too." actions={actions}>
      <Checks
        label={`${counted(contacts.length)} chosen, of ${found.length} that were found`}
        choices={choices}
        value={chosen}
        onValue={choose}
      />
      <ErrorNote error={download.error} />
      {isErasing && (
        <Confirm
          title={`Erase ${counted(contacts.length)} for good?`}
          verb="Erase"
          typed="erase"
          perform={erase}
          onClose={() => setErasing(false)}
        >
          <p>
            They are deleted from all chatbots and from the bin, with everything that was merged into them. Nobody can
            bring them back. Backups keep them until they are replaced.
          </p>
          <TextField
            label="Reference (optional)"
            hint="A name for the request, such as its number. The receipt repeats it; Roster does not keep it."
            value={reference}
            onValue={setReference}
            maxLength={255}
          />
        </Confirm>
      )}
    </Card>
  );
}
