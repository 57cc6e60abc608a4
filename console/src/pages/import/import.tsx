import './import.css';
import { useLocation } from 'preact-iso';

import { useSession } from '../../session.tsx';
import { Failed } from '../../ui/failed.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Loading } from '../../ui/loading.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { useChatbots, useChosen } from '../../use-chatbots.ts';
import { NoChatbots } from '../contacts/empty.tsx';
import { ImportFile } from './import-file.tsx';

/** Brings people along from a file. */
export function Import() {
  const { query, route } = useLocation();
  const { can } = useSession();
  const { data: chatbots, error, reload } = useChatbots();
  const chosen = useChosen(chatbots, query['chatbot']);
  const head = (
    <PageHead
      title="Import"
      about="Bring people along from a CRM or a spreadsheet. The file is read in your browser; only its people are sent."
    />
  );
  if (!can('contacts:write')) {
    return (
      <>
        {head}
        <p class="note">Your roles do not allow imports. Ask the Owner or an Admin.</p>
      </>
    );
  }
  if (!chatbots || !chosen) {
    return (
      <>
        {head}
        {chatbots ? <NoChatbots /> : error ? <Failed error={error} retry={reload} /> : <Loading />}
      </>
    );
  }
  return (
    <>
      {head}
      <div class="cards import">
        {chatbots.length > 1 && (
          <div class="narrow">
            <SelectField
              label="Chatbot"
              value={chosen.id}
              choices={chatbots.map(({ id, name }) => [id, name] as const)}
              onValue={(id) => route(`/console/import?chatbot=${encodeURIComponent(id)}`, true)}
            />
          </div>
        )}
        <ImportFile key={chosen.id} chatbot={chosen} />
      </div>
    </>
  );
}
