import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';

import { useFocusAfterRemoval } from '../layout/focus.ts';
import type { Loaded } from '../query.ts';
import { Button } from './button.tsx';
import { Empty } from './empty.tsx';
import { NotLoaded } from './failed.tsx';
import type { IconName } from './icon.tsx';
import { useKeys } from './keys.ts';
import { PageHead, type PageHeadProps } from './page-head.tsx';

interface ListPageProps extends Omit<PageHeadProps, 'children'> {
  loaded: Omit<Loaded<unknown>, 'set'>;
  /** How many are shown. */
  count: number | undefined;
  /** The button that opens a dialog, as `n` does; false where the roles do not allow it. */
  create: { label: string; dialog: (props: { onClose: () => void }) => VNode } | false;
  /** Where there is none. */
  empty?: { icon: IconName; title: string; text: string };
  children: ComponentChildren;
}

/** A page about things of one kind, and how to create another. */
export function ListPage({ loaded, count, create, empty, children, ...head }: ListPageProps) {
  const [isCreating, setCreating] = useState(false);
  useFocusAfterRemoval(count);
  const open = () => setCreating(true);
  useKeys(create ? [{ keys: 'n', label: create.label, run: open }] : []);
  const button = create && (
    <Button kind="primary" icon="plus" onClick={open}>
      {create.label}
    </Button>
  );
  return (
    <>
      <PageHead {...head}>{button}</PageHead>
      {loaded.data === undefined ? (
        <NotLoaded error={loaded.error} retry={loaded.reload} />
      ) : (
        <div class="stack">
          {empty && count === 0 && (
            <Empty icon={empty.icon} title={empty.title} actions={button}>
              <p>{empty.text}</p>
            </Empty>
          )}
          {children}
        </div>
      )}
      {create && isCreating && <create.dialog onClose={() => setCreating(false)} />}
    </>
  );
}
