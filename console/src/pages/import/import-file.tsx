import { useEffect, useState } from 'preact/hooks';

import type { Chatbot } from '../../types.ts';
import { Code, Curl } from '../../ui/curl.tsx';
import { asError } from '../../use-action.ts';
import { type Choice, commandOf } from './choice.ts';
import { ColumnsCard } from './columns-card.tsx';
import type { Desk } from './desk.ts';
import { FileCard } from './file-card.tsx';
import { type Looked, look } from './look.ts';
import { OptionsCard } from './options-card.tsx';
import { Preview } from './preview.tsx';
import { RunCard } from './run-card.tsx';

export function ImportFile({ desk, chatbot }: { desk: Desk; chatbot: Chatbot }) {
  const { file, choice, running, result } = desk;
  const { looked, error } = useLook(file, choice);
  const choose = (next: Choice) => desk.choose(next);
  const seen = looked && looked.columns.length > 0 ? looked : undefined;
  return (
    <>
      <FileCard
        file={file}
        looked={looked}
        error={error}
        choice={choice}
        isLocked={running !== undefined}
        onFile={(next) => desk.take(next)}
        onChoice={choose}
      />
      {!file && (
        <Curl
          title="Do the same on the command line"
          code={`roster contacts import contacts.csv --chatbot ${chatbot.id} --dry-run`}
        />
      )}
      {file && seen && (
        <>
          <fieldset class="cards import-choices" disabled={running !== undefined} aria-label="What to do with the file">
            <ColumnsCard looked={seen} choice={choice} onChoice={choose} />
            <OptionsCard choice={choice} onChoice={choose} />
          </fieldset>
          <Preview looked={seen} />
        </>
      )}
      {file && (seen ?? running ?? result) && (
        <RunCard desk={desk} chatbot={chatbot} isLacking={!seen || seen.lacking.length > 0} />
      )}
      {file && seen && (
        <section class="card" aria-labelledby="import-command">
          <h2 id="import-command">The same by command line</h2>
          <Code code={commandOf(choice, file.name, chatbot.id, seen.format)} />
        </section>
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
