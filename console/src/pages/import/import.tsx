import './import.css';
import { useLocation } from 'preact-iso';
import { useEffect, useState } from 'preact/hooks';

import { useSession } from '../../session.tsx';
import type { Chatbot } from '../../types.ts';
import { Combobox } from '../../ui/combobox.tsx';
import { NotLoaded } from '../../ui/failed.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { asError } from '../../use-action.ts';
import { useChatbots, useChosen } from '../../use-chatbots.ts';
import { NoChatbots } from '../contacts/empty.tsx';
import { commandOf } from './choice.ts';
import { ColumnsCard } from './columns-card.tsx';
import { importingInto, useDesk } from './desk.ts';
import { FileCard } from './file-card.tsx';
import { countRows, look } from './look.ts';
import { OptionsCard } from './options-card.tsx';
import { Preview } from './preview.tsx';
import { RunCard } from './run-card.tsx';

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

/** Actions stand beside the file, the settings below it. */
function ImportInto({ chatbots, chosen }: { chatbots: readonly Chatbot[]; chosen: Chatbot }) {
  const { route } = useLocation();
  const { member } = useSession();
  const desk = useDesk(member.id, chosen.id);
  const { file, choice, running, result } = desk;
  const { seen: looked, error } = useReading(file, (given) => look(given, choice), [choice]);
  const { encoding } = choice;
  const counted = useReading(file, (given, signal) => countRows(given, encoding, signal), [encoding]);
  const seen = looked && looked.columns.length > 0 ? looked : undefined;
  const command =
    file && looked
      ? commandOf(choice, file.name, chosen.id, looked.format)
      : `roster contacts import contacts.csv --chatbot ${chosen.id} --dry-run`;
  return (
    <>
      <PageHead title="Import" about={about} code={command} />
      <div class="cards">
        {chatbots.length > 1 && (
          <fieldset class="narrow" disabled={running !== undefined}>
            <Combobox
              label="Chatbot"
              value={chosen.id}
              options={chatbots.map(({ id, name }) => ({ value: id, label: name }))}
              onValue={(id) => id !== '' && route(`/console/import?chatbot=${encodeURIComponent(id)}`, true)}
            />
          </fieldset>
        )}
        <FileCard desk={desk} looked={looked} counted={counted.seen} error={error ?? counted.error} />
        {file && (seen ?? running ?? result) && (
          <RunCard
            desk={desk}
            chatbot={chosen}
            rows={counted.seen?.count.toLocaleString()}
            isLacking={!seen || seen.isLacking}
          />
        )}
        {seen && (
          <>
            <Preview looked={seen} />
            <fieldset class="cards" disabled={running !== undefined} aria-label="What to do with the file">
              <ColumnsCard looked={seen} desk={desk} />
              <OptionsCard desk={desk} />
            </fieldset>
          </>
        )}
      </div>
    </>
  );
}

/** Reads the file again after each choice; the last result stays visible meanwhile. */
function useReading<Seen>(
  file: File | undefined,
  read: (file: File, signal: AbortSignal) => Promise<Seen>,
  decisions: readonly unknown[],
): { seen?: Seen; error?: Error } {
  const [state, setState] = useState<{ file?: File; seen?: Seen; error?: Error }>({});
  useEffect(() => {
    if (!file) return;
    const stop = new AbortController();
    const show = (next: { seen: Seen } | { error: Error }) => stop.signal.aborted || setState({ file, ...next });
    read(file, stop.signal).then(
      (seen) => show({ seen }),
      (error: unknown) => show({ error: asError(error) }),
    );
    return () => stop.abort();
  }, [file, ...decisions]);
  return state.file === file ? state : {};
}
