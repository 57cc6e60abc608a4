import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import { roster } from '../../api.ts';
import { useApiKeys } from '../../names.ts';
import { useQuery } from '../../query.ts';
import { useSession } from '../../session.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { CreateChatbot } from '../chatbots/chatbot-dialogs.tsx';
import { CreateKey } from '../keys/key-dialogs.tsx';
import { isUsable } from '../keys/state.ts';
import { Invite } from '../members/member-dialogs.tsx';

interface Step {
  icon: IconName;
  title: string;
  about: string;
  isDone: boolean;
  action: (kind: 'primary' | 'plain') => VNode;
}

type Open = 'chatbot' | 'member' | 'key' | undefined;

/** The first steps of a project without contacts; the first that is left has the primary button. */
export function Checklist({ hasChatbots }: { hasChatbots: boolean }) {
  const { can, project } = useSession();
  const [open, setOpen] = useState<Open>();
  const { data: keys = [] } = useApiKeys();
  const { data: members = 0 } = useQuery(['members', 'count'], async (signal) =>
    can('members:write') ? (await roster.listMembers({ per_page: 2 }, { signal })).members.length : 0,
  );
  const button = (icon: IconName, label: string, what: Open): Step['action'] =>
    function action(kind) {
      return (
        <Button kind={kind} icon={icon} onClick={() => setOpen(what)}>
          {label}
        </Button>
      );
    };
  const steps: (Step | false)[] = [
    can('chatbots:write') && {
      icon: 'chatbots',
      title: 'Create a chatbot',
      about: 'Contacts belong to the chatbot that has met them.',
      isDone: hasChatbots,
      action: button('plus', 'Create chatbot', 'chatbot'),
    },
    {
      icon: 'contacts',
      title: 'Add people',
      about: 'Import a file of your CRM or a spreadsheet, or add the first person by hand.',
      isDone: false,
      action: (kind) => (
        <>
          <ButtonLink kind={kind} icon="import" href="/console/import">
            Import a file
          </ButtonLink>
          <ButtonLink kind="quiet" href="/console/contacts">
            Add by hand
          </ButtonLink>
        </>
      ),
    },
    can('members:write') && {
      icon: 'members',
      title: 'Invite a colleague',
      about: 'Roster makes a link, and you send it yourself.',
      isDone: members > 1,
      action: button('plus', 'Invite', 'member'),
    },
    can('administration') && {
      icon: 'keys',
      title: 'Create a key',
      about: 'Your chatbot, your CRM or a script calls the API with it.',
      isDone: keys.some(isUsable),
      action: button('plus', 'Create key', 'key'),
    },
  ];
  const shown = steps.filter((step) => step !== false);
  const next = shown.find(({ isDone }) => !isDone);
  const close = () => setOpen(undefined);
  return (
    <>
      <PageHead title={`Welcome to ${project.name}`} tab="Home" about="A few steps, in any order." />
      <ol class="card card-flush home-steps">
        {shown.map((step) => (
          <li key={step.title} class={step.isDone ? 'item is-done' : 'item'}>
            <Icon name={step.isDone ? 'check' : step.icon} />
            <div class="item-text">
              <h2 class="item-title">{step.title}</h2>
              <div class="soft small">{step.isDone ? 'Done' : step.about}</div>
            </div>
            {!step.isDone && <div class="row">{step.action(step === next ? 'primary' : 'plain')}</div>}
          </li>
        ))}
      </ol>
      {open === 'chatbot' && <CreateChatbot onClose={close} />}
      {open === 'member' && <Invite onClose={close} />}
      {open === 'key' && <CreateKey onClose={close} />}
    </>
  );
}
