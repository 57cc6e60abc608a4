import { useState } from 'preact/hooks';

import { useFocusAfterRemoval } from '../../layout/focus.ts';
import { useApiKeys } from '../../names.ts';
import { useSession } from '../../session.tsx';
import type { Key } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { NotLoaded } from '../../ui/failed.tsx';
import { useKeys } from '../../ui/keys.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { CreateKey } from './create-key.tsx';
import { KeyTable } from './key-table.tsx';
import { isUsable } from './state.ts';

export function Keys() {
  const { project } = useSession();
  const { data, error, reload } = useApiKeys();
  const [isCreating, setCreating] = useState(false);
  useKeys([{ keys: 'n', label: 'Create a key', run: () => setCreating(true) }]);
  const newest = data?.toReversed() ?? [];
  const ended = newest.filter((key) => !isUsable(key));
  useFocusAfterRemoval(newest.length - ended.length);
  const table = (keys: readonly Key[]) => <KeyTable keys={keys} all={newest} />;
  const code = `roster keys create --project ${project.id} --name "CRM sync"`;
  const create = (
    <Button kind="primary" icon="plus" onClick={() => setCreating(true)}>
      Create a key
    </Button>
  );
  return (
    <>
      <PageHead title="Keys" about="Programs call the API of Roster with a key of this project." code={code}>
        {create}
      </PageHead>
      {!data && <NotLoaded error={error} retry={reload} />}
      {data && (
        <div class="stack">
          {newest.length === ended.length ? (
            <Empty icon="keys" title="No program has a key" actions={create}>
              <p>
                A CRM sync, an automation or a chatbot needs one. Give each its own, with no more rights than it needs.
              </p>
            </Empty>
          ) : (
            table(newest.filter(isUsable))
          )}
          {ended.length > 0 && (
            <details class="fold">
              <summary>Keys that have ended ({ended.length})</summary>
              {table(ended)}
            </details>
          )}
        </div>
      )}
      {isCreating && <CreateKey onClose={() => setCreating(false)} />}
    </>
  );
}
