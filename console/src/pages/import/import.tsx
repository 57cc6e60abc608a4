import './import.css';
import { useLocation } from 'preact-iso';

import { useSession } from '../../session.tsx';
import type { Chatbot } from '../../types.ts';
import { Combobox } from '../../ui/combobox.tsx';
import { NotLoaded } from '../../ui/failed.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { useChatbots, useChosen } from '../../use-chatbots.ts';
import { NoChatbots } from '../contacts/empty.tsx';
import { commandOf } from './choice.ts';
import { importingInto, useDesk } from './desk.ts';
import { ImportFile, useLook } from './import-file.tsx';

const about =
  'Add contacts from a CRM or spreadsheet export. The file is read in your browser; only the contacts are sent.';

/** Adds people from a file. */
export function Import() {
  const { query } = useLocation();
  const { member } = useSession();
  const { data: chatbots, error, reload } = useChatbots();
  const chosen = useChosen(chatbots, importingInto(member.id) ?? query['chatbot']);
  if (chatbots && chosen) return <ImportInto chatbots={chatbots} chosen={chosen} />;
  return (
    <>
      <PageHead title="Import" about={about} />
      {chatbots ? <NoChatbots /> : <NotLoaded error={error} retry={reload} />}
    </>
  );
}

function ImportInto({ chatbots, chosen }: { chatbots: readonly Chatbot[]; chosen: Chatbot }) {
  const { route } = useLocation();
  const { member } = useSession();
  const desk = useDesk(member.id, chosen.id);
  const { file, choice } = desk;
  const { looked, error } = useLook(file, choice);
  const command =
    file && looked
      ? commandOf(choice, file.name, chosen.id, looked.format)
      : `roster contacts import contacts.csv --chatbot ${chosen.id} --dry-run`;
  return (
    <>
      <PageHead title="Import" about={about} code={command} />
      <div class="cards import">
        {chatbots.length > 1 && (
          <fieldset class="narrow" disabled={desk.running !== undefined}>
            <Combobox
              label="Chatbot"
              value={chosen.id}
              options={chatbots.map(({ id, name }) => ({ value: id, label: name }))}
              onValue={(id) => id !== '' && route(`/console/import?chatbot=${encodeURIComponent(id)}`, true)}
            />
          </fieldset>
        )}
        <ImportFile key={chosen.id} desk={desk} chatbot={chosen} looked={looked} error={error} />
      </div>
    </>
  );
}
