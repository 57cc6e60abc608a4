import { useState } from 'preact/hooks';

import { statusOf } from '../../api.ts';
import { useSession } from '../../session.tsx';
import type { Chatbot } from '../../types.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { Empty } from '../../ui/empty.tsx';
import { ErrorNote, Failed } from '../../ui/failed.tsx';
import { CreateChatbot } from '../chatbots/chatbot-dialogs.tsx';
import type { PeopleList } from './list.ts';
import { useFilter } from './use-list.ts';
import { isNarrow, type View } from './view.ts';

/** Contacts belong to a chatbot, so it comes first. */
export function NoChatbots() {
  const { can } = useSession();
  const [isCreating, setCreating] = useState(false);
  const mayCreate = can('chatbots:write');
  return (
    <Empty
      icon="chatbots"
      title="No chatbots yet"
      actions={
        mayCreate && (
          <Button kind="primary" icon="plus" onClick={() => setCreating(true)}>
            Create chatbot
          </Button>
        )
      }
    >
      <p>
        Every contact belongs to a chatbot.{' '}
        {mayCreate ? 'Create one, then import or add contacts.' : 'Ask the Owner or an Admin to create one.'}
      </p>
      {isCreating && <CreateChatbot onClose={() => setCreating(false)} />}
    </Empty>
  );
}

interface NobodyProps {
  list: PeopleList;
  /** The only one that the list can be of. */
  chatbot: Chatbot | undefined;
  onNew: () => void;
}

/** In the place of the list where it has no rows. */
export function NobodyHere({ list, chatbot, onNew }: NobodyProps) {
  const { can, bin_days: binDays } = useSession();
  const filter = useFilter(list);
  const { view } = list;
  if (list.error) return <NotListed list={list} error={list.error} />;
  if (view.isBin) {
    return (
      <Empty icon="trash" title="The bin is empty">
        <p>Deleted contacts come here. You can restore them for {binDays} days.</p>
      </Empty>
    );
  }
  if (isNarrow(view)) {
    return (
      <Empty
        icon="search"
        title="Nobody found"
        actions={<Button onClick={() => filter({ chips: [], query: '' })}>Show all contacts</Button>}
      >
        <p>{nobodyFound(view)}</p>
      </Empty>
    );
  }
  const mayWrite = can('contacts:write');
  return (
    <Empty
      icon="contacts"
      title={chatbot ? `${chatbot.name} has no contacts yet` : 'There are no contacts yet'}
      actions={
        mayWrite && (
          <>
            <ButtonLink icon="import" href="/console/import">
              Import a file
            </ButtonLink>
            <Button icon="plus" kind="primary" onClick={onNew}>
              New contact
            </Button>
          </>
        )
      }
    >
      <p>
        {mayWrite
          ? 'Import them from a CRM or a spreadsheet, or add the first one.'
          : 'Contacts appear here as soon as the chatbot or a colleague adds them.'}
      </p>
    </Empty>
  );
}

function nobodyFound({ query, chips }: View): string {
  if (query === '') return 'No contact meets all the filters. A value is compared whole, in any letter case.';
  const next = chips.length > 0 ? 'The filters narrow it further.' : 'Fewer letters find more people.';
  return `Roster looks for words that begin with what you type: in the name, e-mail, company, job title, external id, tags and phone. ${next}`;
}

/** The next step if the list failed to load. */
function NotListed({ list, error }: { list: PeopleList; error: Error }) {
  const filter = useFilter(list);
  const isGone = statusOf(error) === 404 && list.view.chatbotId !== '';
  if (isGone) {
    return (
      <div class="failed stack">
        <ErrorNote error={error} />
        <Button onClick={() => filter({ chatbotId: '', isBin: false })}>Show all chatbots</Button>
      </div>
    );
  }
  if (statusOf(error) !== 503) return <Failed error={error} retry={() => list.retry()} />;
  return (
    <Empty
      icon="search"
      title="Search is not available right now"
      actions={
        <Button kind="primary" onClick={() => list.retry()}>
          Retry
        </Button>
      }
    >
      <p>It may be busy, or may still index the contacts after an update. This page retries by itself.</p>
      <p>On the server, this command indexes them at once:</p>
      <Code code="roster migrate" />
    </Empty>
  );
}
