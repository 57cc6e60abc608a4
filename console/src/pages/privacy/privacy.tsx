import type { DiscloseContactsInput } from '@roster/client';
import { useRoute } from 'preact-iso';
import { useState } from 'preact/hooks';

import { useQuery } from '../../query.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Empty } from '../../ui/empty.tsx';
import { NotLoaded } from '../../ui/failed.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { keyNames, labelOf } from '../contact/fields.ts';
import { contactAddress } from '../contacts/view.ts';
import { Everywhere } from './everywhere.tsx';
import { findPerson } from './person.ts';
import { type Erased, Receipt } from './receipt.tsx';

/** Answers a person who asks what is kept of them, or to be forgotten. */
export function Privacy() {
  const { chatbotId, contactId } = useRoute().params;
  const byContact = chatbotId !== undefined && contactId !== undefined;
  const [whom, setWhom] = useState<DiscloseContactsInput | undefined>(
    byContact ? { contacts: [{ chatbot_id: chatbotId, id: contactId }] } : undefined,
  );
  const [erased, setErased] = useState<Erased>();
  const find = (next: DiscloseContactsInput) => {
    setWhom(next);
    setErased(undefined);
  };
  return (
    <>
      <PageHead
        title="Privacy request"
        about="Everything stored about one person, in all chatbots and the bin. Download or erase it."
      >
        {byContact && (
          <ButtonLink icon="left" href={erased ? '/console/contacts' : contactAddress(chatbotId, contactId)}>
            {erased ? 'Contacts' : 'Back to the contact'}
          </ButtonLink>
        )}
      </PageHead>
      <div class="cards">
        {!byContact && <Search find={find} />}
        {erased ? (
          <Receipt {...erased} />
        ) : (
          whom && <Person key={JSON.stringify(whom)} whom={whom} onErased={setErased} />
        )}
      </div>
    </>
  );
}

const kinds = keyNames.map((kind) => [kind, labelOf(kind)] as const);

function Search({ find }: { find: (whom: DiscloseContactsInput) => void }) {
  const [kind, setKind] = useState<(typeof keyNames)[number]>('email');
  const [value, setValue] = useState('');
  return (
    <Card title="Whose request is it?">
      <Form class="stack narrow" perform={() => value.trim() !== '' && find({ [kind]: value.trim() })}>
        <SelectField label="Find by" value={kind} onValue={setKind} choices={kinds} />
        <TextField label={labelOf(kind)} value={value} onValue={setValue} maxLength={255} />
        <Button kind="primary" type="submit" icon="search" disabled={value.trim() === ''}>
          Find
        </Button>
      </Form>
    </Card>
  );
}

interface PersonProps {
  whom: DiscloseContactsInput;
  onErased: (erased: Erased) => void;
}

function Person({ whom, onErased }: PersonProps) {
  // A topic of its own: the erasure makes all contacts old, and nobody may ask for this one again.
  const { data, error, reload } = useQuery(['person', JSON.stringify(whom)], (signal) => findPerson(whom, signal));
  if (!data) return <NotLoaded error={error} retry={reload} />;
  if (data.length === 0) {
    return (
      <Empty icon="search" title="Nobody found">
        <p>Nothing is kept under this value, in any chatbot or in the bin. Try another value of the same person.</p>
      </Empty>
    );
  }
  return <Everywhere found={data} onErased={onErased} />;
}
