import { doerOf, useApiKeys, useNames } from '../../names.ts';
import { useSession } from '../../session.tsx';
import type { Key } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { ListPage } from '../../ui/list-page.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { CreateKey, Revoke, Rotate } from './key-dialogs.tsx';
import { wordsOf } from './scopes.ts';
import { isStillUsed, isUsable, type KeyState, stateOf } from './state.ts';

export function Keys() {
  const { project } = useSession();
  const loaded = useApiKeys();
  const all = loaded.data?.toReversed() ?? [];
  const usable = all.filter(isUsable);
  const ended = all.filter((key) => !isUsable(key));
  return (
    <ListPage
      title="Keys"
      about="Programs call the API of Roster with a key of this project."
      code={`roster keys create --project ${project.id} --name "CRM sync"`}
      loaded={loaded}
      count={usable.length}
      create={{ label: 'Create a key', dialog: CreateKey }}
      empty={{
        icon: 'keys',
        title: 'No program has a key',
        text: 'A CRM sync, an automation or a chatbot needs one. Give each its own, with no more rights than it needs.',
      }}
    >
      {usable.length > 0 && <KeyTable keys={usable} all={all} />}
      {ended.length > 0 && (
        <details class="fold">
          <summary>Keys that have ended ({ended.length})</summary>
          <KeyTable keys={ended} all={all} />
        </details>
      )}
    </ListPage>
  );
}

interface KeyTableProps {
  keys: readonly Key[];
  /** Among them the successors of those that are shown. */
  all: readonly Key[];
}

function KeyTable({ keys, all }: KeyTableProps) {
  const names = useNames();
  return (
    <Table
      rows={keys}
      nameOf={({ name }) => name}
      columns={{
        Key: ({ name, last4 }) => (
          <span class="row tight">
            {name}
            <span class="soft small mono">…{last4}</span>
          </span>
        ),
        Rights: ({ scopes }) => <span class="small">{wordsOf(scopes)}</span>,
        'Created by': ({ created_by: maker }) => (
          <bdi class="small table-whole">{maker === null ? 'Unknown' : doerOf({ actor: maker }, names)}</bdi>
        ),
        'Last used': (key) => (
          <span class="row tight">
            {key.last_used_at === null ? <span class="soft">never</span> : <Time value={key.last_used_at} />}
            {isStillUsed(key, all) && <Badge tone="warn">Still in use</Badge>}
          </span>
        ),
        State: (key) => <State apiKey={key} />,
      }}
      actionsOf={(key) => [
        ['active', 'ending'].includes(stateOf(key)) && { label: 'Rotate', dialog: Rotate },
        isUsable(key) && { label: 'Revoke', dialog: Revoke, isDanger: true },
      ]}
    />
  );
}

const badges: Record<KeyState, readonly [tone: 'good' | 'warn' | 'plain', text: string]> = {
  active: ['good', 'Active'],
  ending: ['warn', 'Ends soon'],
  replaced: ['warn', 'Replaced'],
  expired: ['plain', 'Expired'],
  revoked: ['plain', 'Revoked'],
};

function State({ apiKey: key }: { apiKey: Key }) {
  const state = stateOf(key);
  const [tone, text] = badges[state];
  const at = state === 'revoked' ? key.revoked_at : key.expires_at;
  return (
    <span class="row tight">
      <Badge tone={tone}>{text}</Badge>
      {at !== null && (
        <span class="soft small">
          {isUsable(key) && 'ends '}
          <Time value={at} />
        </span>
      )}
    </span>
  );
}
