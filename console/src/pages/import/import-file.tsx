import { useEffect, useState } from 'preact/hooks';

import { Code, Curl } from '../../ui/curl.tsx';
import type { Chatbot } from '../../use-chatbots.ts';
import { asError } from '../../use-load.ts';
import { type Choice, commandOf, firstChoice } from './choice.ts';
import { ColumnsCard } from './columns-card.tsx';
import { FileCard } from './file-card.tsx';
import { type Looked, look } from './look.ts';
import { OptionsCard } from './options-card.tsx';
import { Preview } from './preview.tsx';
import { RunCard } from './run-card.tsx';

export function ImportFile({ chatbot }: { chatbot: Chatbot }) {
  const [file, setFile] = useState<File>();
  const [choice, setChoice] = useState<Choice>(firstChoice);
  const [isRunning, setRunning] = useState(false);
  const { looked, error } = useLook(file, choice);
  const take = (next: File) => {
    setFile(next);
    setChoice(firstChoice);
  };
  return (
    <>
      <FileCard
        file={file}
        looked={looked}
        error={error}
        choice={choice}
        isLocked={isRunning}
        onFile={take}
        onChoice={setChoice}
      />
      {!file && (
        <Curl
          title="Do the same on the command line"
          code={`roster contacts import contacts.csv --chatbot ${chatbot.id} --dry-run`}
        />
      )}
      {file && looked && looked.columns.length > 0 && (
        <>
          <fieldset class="cards import-choices" disabled={isRunning} aria-label="What to do with the file">
            <ColumnsCard looked={looked} choice={choice} onChoice={setChoice} />
            <OptionsCard choice={choice} onChoice={setChoice} />
          </fieldset>
          <Preview looked={looked} />
          <RunCard
            key={`${file.name} ${file.lastModified} ${file.size}`}
            file={file}
            choice={choice}
            chatbot={chatbot}
            isLacking={looked.lacking.length > 0}
            onRunning={setRunning}
          />
          <section class="card" aria-labelledby="import-command">
            <h2 id="import-command">The same by command line</h2>
            <Code code={commandOf(choice, file.name, chatbot.id, looked.format)} />
          </section>
        </>
      )}
    </>
  );
}

/** Looks into the file, again after each decision; what was seen stays until then. */
function useLook(file: File | undefined, choice: Choice): { looked: Looked | undefined; error: Error | undefined } {
  const [state, setState] = useState<{ file?: File; looked?: Looked; error?: Error }>({});
  useEffect(() => {
    if (!file) return;
    let isLate = false;
    look(file, choice).then(
      (looked) => isLate || setState({ file, looked }),
      (error: unknown) => isLate || setState({ file, error: asError(error) }),
    );
    return () => {
      isLate = true;
    };
  }, [file, choice]);
  const isOld = state.file !== file;
  return { looked: isOld ? undefined : state.looked, error: isOld ? undefined : state.error };
}
