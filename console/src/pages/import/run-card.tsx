import { useSession } from '../../session.tsx';
import type { Chatbot } from '../../types.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { listOf } from '../contacts/use-list.ts';
import { AccountView } from './account-view.tsx';
import type { Desk } from './desk.ts';

interface RunProps {
  desk: Desk;
  chatbot: Chatbot;
  /** How many there are; missing until they are counted. */
  rows: string | undefined;
  /** Whether a column is missing that is needed. */
  isLacking: boolean;
}

/** Checks the whole file, imports it, and tells what became of it. */
export function RunCard({ desk, chatbot, rows, isLacking }: RunProps) {
  const { session } = useSession();
  const { running, result } = desk;
  const start = (dryRun: boolean) => void desk.start(chatbot, listOf(session.id), dryRun);
  const isDisabled = isLacking || running !== undefined;
  return (
    <Card title={`Import into ${chatbot.name}`}>
      <div class="row">
        <Button onClick={() => start(true)} disabled={isDisabled}>
          Check file
        </Button>
        <Button kind="primary" icon="import" onClick={() => start(false)} disabled={isDisabled}>
          Import {rows} into <bdi>{chatbot.name}</bdi>
        </Button>
        {running && (
          <Button kind="danger" onClick={() => desk.stop()}>
            Stop
          </Button>
        )}
      </div>
      {running && (
        <div class="stack">
          <progress aria-label="Rows" />
          <p role="status">
            {running.dryRun ? 'Checking' : 'Importing'}: {running.account.read.toLocaleString()} rows
            {running.waiting !== undefined && `. The server is busy. Continues in ${running.waiting} seconds.`}
          </p>
          <p class="soft">You can use other pages meanwhile. Keep this tab open.</p>
        </div>
      )}
      {result && <AccountView result={result} desk={desk} />}
      {result && !result.dryRun && (
        <div>
          <ButtonLink icon="contacts" href={`/console/contacts?chatbot=${encodeURIComponent(chatbot.id)}`}>
            Show contacts
          </ButtonLink>
        </div>
      )}
    </Card>
  );
}
