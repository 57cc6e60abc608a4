import { useEffect, useRef, useState } from 'preact/hooks';

import { call } from '../../api.ts';
import type { Chatbot } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogEnd } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/failed.tsx';
import { type Choice, SelectField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.tsx';
import { useAction } from '../../use-action.ts';
import { exportList, type Format, type Progress, saveFile } from './export.ts';
import type { PeopleList } from './list.ts';
import type { Whom as People } from './selection.ts';
import { counted, isNarrow, noFilters, totalText } from './view.ts';

interface ExportDialogProps {
  list: PeopleList;
  /** The only one that the list can be of. */
  chatbot: Chatbot | undefined;
  onClose: () => void;
}

type Whom = 'selected' | 'found' | 'all';

/** The file is made here in the browser, a hundred people at a time; it can be stopped. */
export function ExportDialog({ list, chatbot, onClose }: ExportDialogProps) {
  const choices = choicesOf(list, chatbot?.name);
  const [whom, setWhom] = useState<Whom>(choices[0]?.[0] ?? 'all');
  const [format, setFormat] = useState<Format>('csv');
  const [progress, setProgress] = useState<Progress>({ written: 0 });
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
  const action = useAction(async () => {
    stop.current = new AbortController();
    const { signal } = stop.current;
    let written = 0;
    const report = (next: Progress) => {
      ({ written } = next);
      setProgress(next);
    };
    try {
      const wanted = { whom: whomOf(list, whom), format, hasChatbots: !chatbot };
      const { file, counts } = await exportList(wanted, signal, report);
      // Record the export before offering the file.
      for (const [of, count] of counts) {
        await call('POST', '/chatbots/{chatbotId}/contacts/exports', { chatbotId: of, count }, { signal });
      }
      saveFile(file, `contacts-${chatbot?.id ?? 'all'}-${new Date().toISOString().slice(0, 10)}.${format}`);
    } catch (error) {
      if (signal.aborted) return;
      throw error;
    }
    toast(`${counted(written)} exported`);
    onClose();
  });
  return (
    <Dialog
      title="Export contacts"
      code={`roster contacts export --chatbot ${chatbot?.id ?? 'ID'} --output contacts.${format}`}
      onClose={onClose}
    >
      <Form perform={action.run}>
        <SelectField label="Contacts" value={whom} choices={choices} onValue={setWhom} />
        <SelectField
          label="Format"
          value={format}
          choices={{ csv: 'CSV, for spreadsheets', ndjson: 'NDJSON, a line of JSON for each contact' }}
          onValue={setFormat}
          hint="All fields except the time of the last change. You can import the file again. In CSV, no cell can act as a formula."
        />
        {action.isBusy && <Running {...progress} />}
        <ErrorNote error={action.error} />
        <DialogEnd>
          {action.isBusy ? (
            <Button onClick={() => stop.current.abort()}>Stop</Button>
          ) : (
            <Button onClick={onClose}>Cancel</Button>
          )}
          <Button kind="primary" type="submit" icon="download" isBusy={action.isBusy}>
            Export
          </Button>
        </DialogEnd>
      </Form>
    </Dialog>
  );
}

function Running({ written, waiting }: Progress) {
  return (
    <p class="people-running" role="status">
      <progress aria-label="Export" />
      {waiting === undefined
        ? `${counted(written)} written`
        : `${counted(written)} written. The server is busy. Continues in ${waiting} seconds.`}
    </p>
  );
}

function choicesOf(list: PeopleList, chatbot: string | undefined): Choice<Whom>[] {
  const { view, hasSelection } = list;
  return [
    ...(hasSelection ? [['selected', `The selected ones (${totalText(list.size)})`] as const] : []),
    ...(isNarrow(view) ? [['found', 'All that the search and filters find'] as const] : []),
    ['all', `All contacts ${chatbot === undefined ? 'of all chatbots' : `of ${chatbot}`}`],
  ];
}

function whomOf(list: PeopleList, whom: Whom): People {
  const everybody = { ...noFilters, chatbotId: list.view.chatbotId, query: '' };
  if (whom === 'selected') return list.whom;
  return whom === 'all' ? everybody : list.view;
}
