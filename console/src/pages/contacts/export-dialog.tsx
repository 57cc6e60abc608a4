import { useEffect, useState } from 'preact/hooks';

import { call } from '../../api.ts';
import type { Chatbot } from '../../types.ts';
import { SelectField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.tsx';
import { Cancelled, useAction } from '../../use-action.ts';
import { exportList, type Format, type Progress, saveFile } from './export.ts';
import type { PeopleList } from './list.ts';
import type { Whom } from './selection.ts';
import { counted, isNarrow, noFilters, totalText } from './view.ts';

interface ExportDialogProps {
  list: PeopleList;
  /** The only one that the list can be of. */
  chatbot: Chatbot | undefined;
  onClose: () => void;
}

/** The file is made here in the browser; closing the dialog stops that. */
export function ExportDialog({ list, chatbot, onClose }: ExportDialogProps) {
  const choices = choicesOf(list, chatbot?.name);
  const labels = [...choices.keys()];
  const [label = '', choose] = useState(labels[0]);
  const [format, setFormat] = useState<Format>('csv');
  const [{ written, waiting }, setProgress] = useState<Progress>({ written: 0 });
  const [stop] = useState(() => new AbortController());
  useEffect(() => () => stop.abort(new Cancelled()), [stop]);
  const action = useAction(async () => {
    const { signal } = stop;
    const wanted = { whom: choices.get(label) ?? list.whom, format, hasChatbots: !chatbot };
    const { file, counts } = await exportList(wanted, signal, setProgress);
    // Record the export before offering the file.
    for (const [of, count] of counts) {
      await call('POST', '/chatbots/{chatbotId}/contacts/exports', { chatbotId: of, count }, { signal });
    }
    saveFile(file, `contacts-${chatbot?.id ?? 'all'}-${new Date().toISOString().slice(0, 10)}.${format}`);
    toast(`${counted([...counts.values()].reduce((sum, count) => sum + count, 0))} exported`);
    onClose();
  });
  return (
    <FormDialog
      title="Export contacts"
      action={action}
      verb="Export"
      curl={`roster contacts export --chatbot ${chatbot?.id ?? 'ID'} --output contacts.${format}`}
      onClose={onClose}
    >
      <SelectField label="Contacts" value={label} choices={labels.map((one) => [one, one] as const)} onValue={choose} />
      <SelectField
        label="Format"
        value={format}
        choices={{ csv: 'CSV, for spreadsheets', ndjson: 'NDJSON, a line of JSON for each contact' }}
        onValue={setFormat}
        hint="All fields except the time of the last change. You can import the file again. In CSV, no cell can act as a formula."
      />
      {action.isBusy && (
        <p class="stack number" role="status">
          <progress aria-label="Export" />
          {`${counted(written)} written.`}
          {waiting !== undefined && ` The server is busy. Continues in ${waiting} seconds.`}
        </p>
      )}
    </FormDialog>
  );
}

/** Labels, and the contacts that they mean. */
function choicesOf({ view, whom, size, hasSelection }: PeopleList, chatbot = 'all chatbots'): Map<string, Whom> {
  const everybody = { ...noFilters, chatbotId: view.chatbotId, query: '' };
  const choices = new Map<string, Whom>();
  if (hasSelection) choices.set(`The selected ones (${totalText(size)})`, whom);
  if (isNarrow(view)) choices.set('All that the search and filters find', view);
  return choices.set(`All contacts of ${chatbot}`, everybody);
}
