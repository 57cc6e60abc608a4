import type { DisclosedContact, EraseContactsResult } from '@roster/client';
import { useState } from 'preact/hooks';

import { roster } from '../../api.ts';
import { withFresh } from '../../fresh.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { ErrorNote } from '../../ui/failed.tsx';
import { Check, TextField } from '../../ui/field.tsx';
import { useAction } from '../../use-action.ts';
import { useChatbots } from '../../use-chatbots.ts';
import { counted } from '../contacts/changing.ts';
import { saveFile } from '../contacts/export.ts';
import { titleOf } from '../contacts/person.ts';
import { fileOf, type Found, placeOf } from './person.ts';
import { Receipt } from './receipt.tsx';

interface EverywhereProps {
  found: readonly Found[];
  onErased: () => void;
}

/** The contacts of a person, of which some may be another one's, and what can be done with them. */
export function Everywhere({ found, onErased }: EverywhereProps) {
  const [chosen, choose] = useState(() => new Set(found.filter((one) => one.isSure).map((one) => one.place)));
  const [isErasing, setErasing] = useState(false);
  const [receipt, setReceipt] = useState<EraseContactsResult>();
  const contacts = found.flatMap(({ place, contact }) => (chosen.has(place) ? contact : []));
  const download = useAction(async () => {
    saveFile(await fileOf(contacts), `person-${new Date().toISOString().slice(0, 10)}.json`);
  });
  const toggle = (place: string, isOn: boolean) => {
    const next = new Set(chosen);
    if (isOn) next.add(place);
    else next.delete(place);
    choose(next);
  };
  if (receipt) return <Receipt receipt={receipt} />;
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
  const about = `${counted(contacts.length)} chosen, of ${found.length} that were found. The file has their events, too.`;
  return (
    <Card title="This person" about={about} actions={actions} isFlush>
      <ul>
        {found.map((one) => (
          <Row key={one.place} {...one} isOn={chosen.has(one.place)} onChange={(isOn) => toggle(one.place, isOn)} />
        ))}
      </ul>
      <ErrorNote error={download.error} />
      {isErasing && (
        <Erase
          contacts={contacts}
          onErased={(done) => {
            onErased();
            setReceipt(done);
          }}
          onClose={() => setErasing(false)}
        />
      )}
    </Card>
  );
}

type RowProps = Found & {
  isOn: boolean;
  onChange: (isOn: boolean) => void;
};

function Row({ contact, isSure, isOn, onChange }: RowProps) {
  const { data: chatbots = [] } = useChatbots();
  const chatbot = chatbots.find(({ id }) => id === contact.chatbot_id)?.name ?? contact.chatbot_id;
  const facts = [chatbot, contact.email, contact.phone].filter((fact) => fact !== null);
  const label = (
    <span class="item-title">
      <bdi>{titleOf(contact)}</bdi>
      {contact.merged_into !== undefined && <Badge>Merged</Badge>}
      {contact.deleted_at !== undefined && <Badge>In the bin</Badge>}
      {!isSure && <Badge tone="warn">Maybe another person</Badge>}
    </span>
  );
  const hint = facts.map((fact, place) => (
    <>
      {place > 0 && ' · '}
      <bdi>{fact}</bdi>
    </>
  ));
  return (
    <li class="item">
      <Check label={label} hint={hint} isOn={isOn} onChange={onChange} />
    </li>
  );
}

interface EraseProps {
  contacts: readonly DisclosedContact[];
  onErased: (receipt: EraseContactsResult) => void;
  onClose: () => void;
}

function Erase({ contacts, onErased, onClose }: EraseProps) {
  const [text, setText] = useState('');
  const reference = text.trim() === '' ? undefined : text.trim();
  const erase = async () => {
    onErased(await withFresh(() => roster.eraseContacts({ contacts: contacts.map(placeOf), reference })));
  };
  return (
    <Confirm
      title={`Erase ${counted(contacts.length)} for good?`}
      verb="Erase"
      typed="erase"
      perform={erase}
      onClose={onClose}
    >
      <p>
        They are deleted from all chatbots and from the bin, with everything that was merged into them. Nobody can bring
        them back. Backups keep them until they are replaced.
      </p>
      <TextField
        label="Reference (optional)"
        hint="A name for the request, such as its number. The receipt repeats it; Roster does not keep it."
        value={text}
        onValue={setText}
        maxLength={255}
      />
    </Confirm>
  );
}
