import { useLocation } from 'preact-iso';

import { curlFor } from '../../curl.ts';
import { useSession } from '../../session.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { PageHead } from '../../ui/page-head.tsx';

// What somebody searches for stays out of a text that is made to be copied.
const commands = `roster contacts find 'ana fer' --all-chatbots\n\n${curlFor('searchAllContacts', { query: 'ana fer' })}`;

interface HeadProps {
  isBin: boolean;
  onExport: () => void;
  onNew: () => void;
}

export function Head({ isBin, onExport, onNew }: HeadProps) {
  const { bin_days: binDays, can } = useSession();
  const { route } = useLocation();
  const askForPerson = () => route('/console/contacts/privacy');
  const about = isBin
    ? `Each chatbot has its own bin. Deleted contacts stay there for ${binDays} days. Until then, you can restore them.`
    : undefined;
  return (
    <PageHead title={isBin ? 'Bin' : 'Contacts'} about={about} code={commands}>
      {!isBin && can('contacts:export') && (
        <Button icon="download" onClick={onExport}>
          Export
        </Button>
      )}
      {!isBin && can('contacts:write') && (
        <>
          <ButtonLink icon="import" href="/console/import">
            Import
          </ButtonLink>
          <Button icon="plus" kind="primary" onClick={onNew}>
            New contact
          </Button>
          <Menu label="More" items={[{ label: 'Privacy request…', icon: 'security', run: askForPerson }]} />
        </>
      )}
    </PageHead>
  );
}
