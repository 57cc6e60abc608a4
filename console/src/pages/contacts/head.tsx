import { useSession } from '../../session.tsx';
import type { Chatbot } from '../../types.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { PageHead } from '../../ui/page-head.tsx';

interface HeadProps {
  chatbots: readonly Chatbot[];
  chosen: Chatbot;
  isBin: boolean;
  mayWrite: boolean;
  onChoose: (id: string) => void;
  onExport: () => void;
  onNew: () => void;
}

export function Head({ chatbots, chosen, isBin, mayWrite, onChoose, onExport, onNew }: HeadProps) {
  const { bin_days: binDays, can } = useSession();
  const about = isBin ? `Deleted contacts stay here for ${binDays} days. Until then, you can restore them.` : undefined;
  return (
    <PageHead title={isBin ? 'Bin' : 'Contacts'} about={about}>
      <select
        class="input people-chatbot"
        aria-label="Chatbot"
        value={chosen.id}
        onChange={(event) => onChoose(event.currentTarget.value)}
      >
        {chatbots.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      {!isBin && can('contacts:export') && (
        <Button icon="download" onClick={onExport}>
          Export
        </Button>
      )}
      {!isBin && mayWrite && (
        <>
          <ButtonLink icon="import" href={`/console/import?chatbot=${encodeURIComponent(chosen.id)}`}>
            Import
          </ButtonLink>
          <Button icon="plus" kind="primary" onClick={onNew}>
            New contact
          </Button>
        </>
      )}
    </PageHead>
  );
}
