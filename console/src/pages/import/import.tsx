import './import.css';
import { useLocation } from 'preact-iso';

import { useSession } from '../../session.tsx';
import type { Chatbot } from '../../types.ts';
import { Combobox } from '../../ui/combobox.tsx';
import { NotLoaded } from '../../ui/failed.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { useChatbots, useChosen } from '../../use-chatbots.ts';
import { NoChatbots } from '../contacts/empty.tsx';
import { importingInto, useDesk } from './desk.ts';
import { ImportFile } from './import-file.tsx';

/** Brings people along from a file. */
export function Import() {
  const { query } = useLocation();
  const { member } = useSession();
  const { data: chatbots, error, reload } = useChatbots();
  const chosen = useChosen(chatbots, importingInto(member.id) ?? query['chatbot']);
  const head = (
    <PageHead
      title="Import"
      about="Bring people along from a CRM or a spreadsheet. The file is read in your browser; only its people are sent."
    />
  );
  if (!chatbots || !chosen) {
    return (
      <>
        {head}
        {chatbots ? <NoChatbots /> : <NotLoaded error={error} retry={reload} />}
      </>
    );
  }
  return (
    <>
      {head}
      <ImportInto chatbots={chatbots} chosen={chosen} />
    </>
  );
}

function ImportInto({ chatbots, chosen }: { chatbots: readonly Chatbot[]; chosen: Chatbot }) {
  const { route } = useLocation();
  const { member } = useSession();
  const desk = useDesk(member.id, chosen.id);
  return (
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
      <ImportFile key={chosen.id} desk={desk} chatbot={chosen} />
    </div>
  );
}
