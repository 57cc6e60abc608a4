import { useEffect, useState } from 'preact/hooks';

import type { Chatbot } from '../../types.ts';
import { asError } from '../../use-action.ts';
import type { Choice } from './choice.ts';
import { ColumnsCard } from './columns-card.tsx';
import type { Desk } from './desk.ts';
import { FileCard, useCount } from './file-card.tsx';
import { type Looked, look } from './look.ts';
import { OptionsCard } from './options-card.tsx';
import { Preview } from './preview.tsx';
import { RunCard } from './run-card.tsx';

interface ImportFileProps {
  desk: Desk;
  chatbot: Chatbot;
  looked: Looked | undefined;
  error: Error | undefined;
}

/** What to do stands beside the file; how comes below it. */
export function ImportFile({ desk, chatbot, looked, error }: ImportFileProps) {
  const { file, choice, running, result } = desk;
  const choose = (next: Choice) => desk.choose(next);
  const count = useCount(error ? undefined : file, choice);
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
        {...count}
      />
      {file && (seen ?? running ?? result) && (
        <RunCard
          desk={desk}
          chatbot={chatbot}
          rows={count.counted?.count.toLocaleString()}
          isLacking={!seen || seen.lacking.length > 0}
        />
      )}
      {file && seen && (
        <>
          <Preview looked={seen} />
          <fieldset class="cards import-choices" disabled={running !== undefined} aria-label="What to do with the file">
            <ColumnsCard looked={seen} choice={choice} onChoice={choose} />
            <OptionsCard choice={choice} onChoice={choose} />
          </fieldset>
        </>
      )}
    </>
  );
}

/** Looks into the file, again after each decision; what was seen stays until then. */
export function useLook(
  file: File | undefined,
  choice: Choice,
): { looked: Looked | undefined; error: Error | undefined } {
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
