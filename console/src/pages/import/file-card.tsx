import { useId, useState } from 'preact/hooks';

import { Card } from '../../ui/card.tsx';
import { ErrorNote } from '../../ui/failed.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { number } from '../../usage.ts';
import { encodings } from './choice.ts';
import type { Desk } from './desk.ts';
import type { Counted, Looked } from './look.ts';

interface FileProps {
  desk: Desk;
  looked: Looked | undefined;
  counted: Counted | undefined;
  error: Error | undefined;
}

const formatNames = { csv: 'CSV', ndjson: 'NDJSON', json: 'JSON' };

/** Where a file is dropped or chosen, and what it turned out to be. */
export function FileCard({ desk, looked, counted, error }: FileProps) {
  const { file, choice } = desk;
  const isLocked = desk.running !== undefined;
  const id = useId();
  const [isOver, setOver] = useState(false);
  const encoding = counted?.encoding ?? 'utf-8';
  const take = (files: FileList | null | undefined) => {
    const [given] = files ?? [];
    if (given && !isLocked) desk.take(given);
  };
  return (
    <Card title="File">
      <div
        class={['empty stack drop', isOver && 'drop-over', file && 'drop-filled'].filter(Boolean).join(' ')}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          take(event.dataTransfer?.files);
        }}
      >
        <Icon name="import" />
        {file && <strong>{file.name}</strong>}
        <input
          id={id}
          class="visually-hidden"
          type="file"
          accept=".csv,.tsv,.txt,.ndjson,.jsonl,.json"
          disabled={isLocked}
          aria-describedby={`${id}-hint`}
          onChange={(event) => {
            take(event.currentTarget.files);
            event.currentTarget.value = '';
          }}
        />
        <label class="button" for={id}>
          {file ? 'Choose another file' : 'Drop a file here or choose one'}
        </label>
        <p class="soft small" id={`${id}-hint`}>
          CSV with a heading row, NDJSON or a JSON list.
        </p>
      </div>
      <div role="status">
        {file && looked && !error && (
          <p>
            {formatNames[looked.format]}, {(encodings as Partial<Record<string, string>>)[encoding] ?? encoding},{' '}
            {counted ? `${number(counted.count)} ${counted.count === 1 ? 'row' : 'rows'}` : 'counting rows…'},{' '}
            {sizeOf(file)}
          </p>
        )}
      </div>
      <ErrorNote error={error} />
      {file && (error !== undefined || choice.encoding !== '' || encoding !== 'utf-8') && (
        <div class="narrow">
          <SelectField
            label="Encoding"
            value={choice.encoding}
            choices={encodings}
            onValue={(one) => desk.choose({ encoding: one })}
          />
        </div>
      )}
    </Card>
  );
}

function sizeOf({ size }: File): string {
  return size < 1_000_000 ? `${Math.ceil(size / 1_000)} kB` : `${(size / 1_000_000).toFixed(1)} MB`;
}
