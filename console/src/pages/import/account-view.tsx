import { useEffect, useRef } from 'preact/hooks';

import { linesIn, type TalliedMessage } from '../../../../src/files/tally.ts';
import { Button } from '../../ui/button.tsx';
import { messageOf } from '../../ui/failed.tsx';
import { Icon } from '../../ui/icon.tsx';
import { saveFile } from '../contacts/export.ts';
import type { Desk } from './desk.ts';
import type { Result } from './run-import.ts';

const counted = ['read', 'created', 'updated', 'unchanged', 'duplicates', 'rejected'] as const;
const kindsShown = 20;
const uniqueShown = 3;

/** The outcome for the file, in the words of the command. */
export function AccountView({ result, desk: { file, choice } }: { result: Result; desk: Desk }) {
  const { account, dryRun, reasons, dropped, warnings, rejected, unique, isRepeated } = result;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div class="stack">
      <h3 ref={heading} tabIndex={-1}>
        {dryRun ? 'Check: nothing was stored' : 'Result'}
      </h3>
      {result.choice !== choice && <p class="note">You have changed something since. Check again.</p>}
      <Ending result={result} />
      <dl class="import-account row loose">
        {counted.map((name) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class="number">{account[name].toLocaleString()}</dd>
          </div>
        ))}
      </dl>
      {isRepeated && (
        <p class="note">
          The connection was lost once, so some rows were sent twice. Some new contacts may count as unchanged.
        </p>
      )}
      <Tally title="Reasons" all={reasons} />
      <Tally title="Left out" all={dropped} />
      <Tally title="Warnings" all={warnings} />
      {unique.length > 0 && (
        <p class="note">
          Rows have no id or e-mail address. If you import a changed row later, it becomes a new contact. A column for
          the id prevents that. These have a different value in each row: {unique.slice(0, uniqueShown).join(', ')}.
        </p>
      )}
      {rejected.length > 0 && (
        <div class="stack">
          <p>Download the rejected rows, correct them and import that file.</p>
          <div>
            <Button icon="download" onClick={() => void saveRejects(result, file?.name ?? '')}>
              Download {rejected.length.toLocaleString()} rejected {rejected.length === 1 ? 'row' : 'rows'}
            </Button>
          </div>
        </div>
      )}
    </div>
  );
}

function Ending({ result: { ended, dryRun, account } }: { result: Result }) {
  if (!ended) return null;
  const kept = dryRun
    ? 'Stopped. Nothing was stored.'
    : `Stopped after ${account.read} rows: ${account.created} created, ${account.updated} updated. These are stored. You can import the file again.`;
  return (
    <p class={ended === 'stopped' ? 'note' : 'note note-danger'} role="alert">
      <Icon name="warning" />
      <span>
        {ended !== 'stopped' && `${messageOf(ended)} `}
        {kept}
      </span>
    </p>
  );
}

function Tally({ title, all }: { title: string; all: readonly TalliedMessage[] }) {
  if (all.length === 0) return null;
  return (
    <div>
      <strong>{title}</strong>
      <ul>
        {all.slice(0, kindsShown).map(({ message, count, lines }) => (
          <li key={message}>
            {count.toLocaleString()} × {message} ({linesIn(lines)})
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The rejected rows as the command writes them. */
async function saveRejects({ rejected, format }: Result, fileName: string): Promise<void> {
  const { endOf, rejectText } = await import('../../../../src/files/writing.ts');
  const parts = rejected.map(({ row, reason }, index) => rejectText(row, reason, format, index === 0));
  const file = new Blob([...parts, endOf(format, false)], { type: 'application/octet-stream' });
  saveFile(file, `${fileName.replace(/\.[^.]*$/, '')}-rejected.${format}`);
}
