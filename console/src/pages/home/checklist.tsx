import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import { useApiKeys, useMembers } from '../../names.ts';
import { useSession } from '../../session.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { CreateChatbot } from '../chatbots/chatbot-dialogs.tsx';
import { CreateKey } from '../keys/key-dialogs.tsx';
import { isUsable } from '../keys/state.ts';
import { Invite } from '../members/member-dialogs.tsx';

type Dialog = (props: { onClose: () => void }) => VNode;

interface Step {
  icon: IconName;
  title: string;
  about: string;
  isDone: boolean;
  /** Missing where other pages do it. */
  button?: { label: string; dialog: Dialog };
}

/** The first steps of a project without contacts; the first that is left has the primary button. */
export function Checklist({ hasChatbots }: { hasChatbots: boolean }) {
  const { can, project } = useSession();
  const [Open, setOpen] = useState<Dialog>();
  const { data: keys = [] } = useApiKeys();
  const { data: members = [] } = useMembers();
  const steps: (Step | false)[] = [
    can('chatbots:write') && {
      icon: 'chatbots',
      title: 'Create a chatbot',
      about: 'Contacts belong to the chatbot that has met them.',
      isDone: hasChatbots,
      button: { label: 'Create chatbot', dialog: CreateChatbot },
    },
    {
      icon: 'contacts',
      title: 'Add people',
      about: 'Import a file of your CRM or a spreadsheet, or add the first person by hand.',
      isDone: false,
    },
    can('members:write') && {
      icon: 'members',
      title: 'Invite a colleague',
      about: 'Roster makes a link, and you send it yourself.',
      isDone: members.length > 1,
      button: { label: 'Invite', dialog: Invite },
    },
    can('administration') && {
      icon: 'keys',
      title: 'Create a key',
      about: 'Your chatbot, your CRM or a script calls the API with it.',
      isDone: keys.some(isUsable),
      button: { label: 'Create key', dialog: CreateKey },
    },
  ];
  const shown = steps.filter((step) => step !== false);
  const next = shown.find(({ isDone }) => !isDone);
  return (
    <>
      <PageHead title={`Welcome to ${project.name}`} tab="Home" about="A few steps, in any order." />
      <ol class="card card-flush home-steps">
        {shown.map((step) => {
          const { icon, title, about, isDone, button } = step;
          const kind = step === next ? 'primary' : 'plain';
          return (
            <li key={title} class={isDone ? 'item spread soft' : 'item spread'}>
              <Icon name={isDone ? 'check' : icon} />
              <div class="item-text">
                <h2 class="item-title row tight">{title}</h2>
                <div class="soft small">{isDone ? 'Done' : about}</div>
              </div>
              <div class="row">
                {!isDone && button && (
                  <Button kind={kind} icon="plus" onClick={() => setOpen(() => button.dialog)}>
                    {button.label}
                  </Button>
                )}
                {!isDone && !button && <AddPeople kind={kind} />}
              </div>
            </li>
          );
        })}
      </ol>
      {Open && <Open onClose={() => setOpen(undefined)} />}
    </>
  );
}

function AddPeople({ kind }: { kind: 'primary' | 'plain' }) {
  return (
    <>
      <ButtonLink kind={kind} icon="import" href="/console/import">
        Import a file
      </ButtonLink>
      <ButtonLink kind="quiet" href="/console/contacts">
        Add by hand
      </ButtonLink>
    </>
  );
}
