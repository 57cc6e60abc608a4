import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import { api } from '../../api.ts';
import type { Key } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { Curl } from '../../ui/curl.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Failed } from '../../ui/failed.tsx';
import { useKeys } from '../../ui/keys.ts';
import { Loading } from '../../ui/loading.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { useLoad } from '../../use-load.ts';
import { CreateKey } from './create-key.tsx';
import { Revoke, Rotate } from './key-dialogs.tsx';
import { KeyTable } from './key-table.tsx';
import { isUsable } from './state.ts';

export interface KeyDialogProps {
  apiKey: Key;
  onClose: () => void;
  onDone: () => void;
}

type Dialogs = 'rotate' | 'revoke';
const dialogs: Record<Dialogs, (props: KeyDialogProps) => VNode> = { rotate: Rotate, revoke: Revoke };

export function Keys() {
  const { data, error, reload } = useLoad(async (signal) => (await api.get<{ keys: Key[] }>('/keys', { signal })).keys);
  const [isCreating, setCreating] = useState(false);
  const [open, setOpen] = useState<{ what: Dialogs; apiKey: Key }>();
  useKeys([{ keys: 'n', label: 'Make a key', run: () => setCreating(true) }]);
  const Opened = open && dialogs[open.what];
  const newest = data?.toReversed() ?? [];
  const ended = newest.filter((key) => !isUsable(key));
  const table = (keys: readonly Key[]) => (
    <KeyTable keys={keys} all={newest} open={(what, apiKey) => setOpen({ what, apiKey })} />
  );
  return (
    <>
      <PageHead title="Keys" about="Programs call the API of Roster with a key of this project.">
        <Button kind="primary" icon="plus" onClick={() => setCreating(true)}>
          Make a key
        </Button>
      </PageHead>
      {!data && error && <Failed error={error} retry={reload} />}
      {!data && !error && <Loading />}
      {data && (
        <div class="stack">
          {newest.length === ended.length ? (
            <NoKeys onCreate={() => setCreating(true)} />
          ) : (
            table(newest.filter(isUsable))
          )}
          {ended.length > 0 && (
            <details class="curl">
              <summary>Keys that have ended ({ended.length})</summary>
              {table(ended)}
            </details>
          )}
        </div>
      )}
      {isCreating && <CreateKey onClose={() => setCreating(false)} onDone={reload} />}
      {open && Opened && <Opened apiKey={open.apiKey} onClose={() => setOpen(undefined)} onDone={reload} />}
    </>
  );
}

function NoKeys({ onCreate }: { onCreate: () => void }) {
  return (
    <Empty
      icon="keys"
      title="No program has a key yet"
      actions={
        <Button kind="primary" icon="plus" onClick={onCreate}>
          Make a key
        </Button>
      }
    >
      <p>A CRM sync, an automation or a chatbot needs one. Give each its own, with no more rights than it needs.</p>
      <Curl title="By the command line" code={'roster keys create --project PROJECT_ID --name "CRM sync"'} />
    </Empty>
  );
}
