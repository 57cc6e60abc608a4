import { useEffect, useId, useState } from 'preact/hooks';

import { messageOf } from '../../ui/failed.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { type Choice, encodings } from './choice.ts';
import { type Counted, countRows, type Looked } from './look.ts';

interface FileProps {
  file: File | undefined;
  looked: Looked | undefined;
  error: Error | undefined;
  choice: Choice;
  isLocked: boolean;
  onFile: (file: File) => void;
  onChoice: (choice: Choice) => void;
  counted?: Counted;
  broken?: Error;
}

const formatNames = { csv: 'CSV', ndjson: 'NDJSON', json: 'JSON' };

/** Where a file is dropped or chosen, and what it turned out to be. */
export function FileCard(props: FileProps) {
  const { file, looked, error, choice, isLocked, onFile, onChoice, counted, broken } = props;
  const id = useId();
  const [isOver, setOver] = useState(false);
  const encoding = counted?.encoding ?? 'utf-8';
  const wrong = error ?? broken;
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [dropped] = event.dataTransfer?.files ?? [];
    if (dropped && !isLocked) onFile(dropped);
  };
  return (
    <section class="card" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>File</h2>
      <div
        class={['drop', isOver && 'drop-over', file && 'drop-filled'].filter(Boolean).join(' ')}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <Icon name="import" />
        <label for={id}>{file ? file.name : 'Drop a file here or choose one'}</label>
        <input
          id={id}
          type="file"
          accept=".csv,.tsv,.txt,.ndjson,.jsonl,.json"
          disabled={isLocked}
          aria-describedby={`${id}-hint`}
          onChange={(event) => {
            const [picked] = event.currentTarget.files ?? [];
            if (picked) onFile(picked);
            event.currentTarget.value = '';
          }}
        />
        <p class="field-hint" id={`${id}-hint`}>
          CSV with a heading row, NDJSON or a JSON list.
        </p>
      </div>
      <div role="status">
        {file && looked && !wrong && (
          <p>
            {formatNames[looked.format]}, {(encodings as Partial<Record<string, string>>)[encoding] ?? encoding},{' '}
            {counted ? `${counted.count.toLocaleString()} rows` : 'counting rows…'}, {sizeOf(file)}
          </p>
        )}
      </div>
      <div role="alert" class="error-place">
        {wrong && (
          <p class="note note-danger">
            <Icon name="warning" />
            <span>{messageOf(wrong)}</span>
          </p>
        )}
      </div>
      {file && (wrong !== undefined || choice.encoding !== '' || encoding !== 'utf-8') && (
        <div class="narrow">
          <SelectField
            label="Encoding"
            value={choice.encoding}
            choices={encodings}
            onValue={(one) => onChoice({ ...choice, encoding: one })}
          />
        </div>
      )}
    </section>
  );
}

export function useCount(file: File | undefined, { encoding }: Choice): { counted?: Counted; broken?: Error } {
  const [state, setState] = useState<{ counted?: Counted; broken?: Error }>({});
  useEffect(() => {
    setState({});
    if (!file) return;
    const stop = new AbortController();
    countRows(file, encoding, stop.signal).then(
      (counted) => stop.signal.aborted || setState({ counted }),
      (error: unknown) => stop.signal.aborted || setState({ broken: error as Error }),
    );
    return () => stop.abort();
  }, [file, encoding]);
  return state;
}

function sizeOf({ size }: File): string {
  return size < 1_000_000 ? `${Math.ceil(size / 1_000)} kB` : `${(size / 1_000_000).toFixed(1)} MB`;
}
