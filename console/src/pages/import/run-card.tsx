import { useEffect, useRef, useState } from 'preact/hooks';

import { type Account, emptyAccount } from '../../../../src/files/account.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import type { Chatbot } from '../../use-chatbots.ts';
import { AccountView } from './account-view.tsx';
import type { Choice } from './choice.ts';
import { type Result, runImport } from './run-import.ts';

interface RunProps {
  file: File;
  choice: Choice;
  chatbot: Chatbot;
  /** Whether a column is missing that is needed. */
  isLacking: boolean;
  onRunning: (isRunning: boolean) => void;
}

interface Running {
  dryRun: boolean;
  account: Account;
  stop: AbortController;
}

/** Checks the whole file, imports it, and tells what became of it. */
export function RunCard({ file, choice, chatbot, isLacking, onRunning }: RunProps) {
  const [running, setRunning] = useState<Running>();
  const [result, setResult] = useState<Result & { choice: Choice }>();
  const current = useRef<AbortController>(undefined);
  useEffect(() => () => current.current?.abort(), []);
  useAsking(running !== undefined && !running.dryRun);
  const start = async (dryRun: boolean) => {
    if (running) return;
    const stop = new AbortController();
    current.current = stop;
    setResult(undefined);
    setRunning({ dryRun, account: emptyAccount(), stop });
    onRunning(true);
    const onProgress = (account: Account) => setRunning({ dryRun, account, stop });
    const given = { file, choice, chatbotId: chatbot.id, dryRun, signal: stop.signal, onProgress };
    const ended = await runImport(given);
    setRunning(undefined);
    setResult({ ...ended, choice });
    onRunning(false);
  };
  const isDisabled = isLacking || running !== undefined;
  return (
    <section class="card" aria-labelledby="import-run">
      <h2 id="import-run">Import into {chatbot.name}</h2>
      <div class="row">
        <Button onClick={() => void start(true)} disabled={isDisabled}>
          Check the whole file
        </Button>
        <Button kind="primary" icon="import" onClick={() => void start(false)} disabled={isDisabled}>
          Import
        </Button>
        {running && (
          <Button kind="danger" onClick={() => running.stop.abort()}>
            Stop
          </Button>
        )}
      </div>
      {running && (
        <div class="stack">
          <progress class="import-progress" aria-label="Rows" />
          <p role="status">
            {running.dryRun ? 'Checking' : 'Importing'}: {running.account.read.toLocaleString()} rows
          </p>
        </div>
      )}
      {result && <AccountView result={result} fileName={file.name} isOld={result.choice !== choice} />}
      {result && !result.dryRun && (
        <div>
          <ButtonLink icon="contacts" href={`/console/contacts?chatbot=${encodeURIComponent(chatbot.id)}`}>
            Show the contacts
          </ButtonLink>
        </div>
      )}
    </section>
  );
}

/** Lets the browser ask before the page is left in the middle. */
function useAsking(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isOn]);
}
