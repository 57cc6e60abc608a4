import type { Key } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Time } from '../../ui/time.tsx';
import { isStillUsed, isUsable, type KeyState, stateOf } from './state.ts';

interface KeyTableProps {
  keys: readonly Key[];
  /** Among them the successors of those that are shown. */
  all: readonly Key[];
  open: (what: 'rotate' | 'revoke', key: Key) => void;
}

export function KeyTable({ keys, all, open }: KeyTableProps) {
  return (
    <div class="card table-card">
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Key</th>
            <th scope="col">Scopes</th>
            <th scope="col">Last used</th>
            <th scope="col">State</th>
            <th scope="col">
              <span class="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <Row key={key.id} apiKey={key} all={all} open={open} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ apiKey: key, all, open }: Pick<KeyTableProps, 'all' | 'open'> & { apiKey: Key }) {
  const mayRotate = stateOf(key) === 'active';
  return (
    <tr>
      <td class="table-main">
        <span class="row row-tight">
          {key.name}
          <span class="soft small mono">…{key.last4}</span>
        </span>
      </td>
      <td data-label="Scopes">
        <span class="small">{key.scopes.join(', ')}</span>
      </td>
      <td data-label="Last used">
        <span class="row row-tight">
          {key.last_used_at === null ? <span class="soft">never</span> : <Time value={key.last_used_at} />}
          {isStillUsed(key, all) && <Badge tone="warn">Still in use</Badge>}
        </span>
      </td>
      <td data-label="State">
        <State apiKey={key} />
      </td>
      <td class="table-end">
        {isUsable(key) && (
          <Menu
            label={`Actions for ${key.name}`}
            items={[
              mayRotate && { label: 'Rotate', run: () => open('rotate', key) },
              { label: 'Revoke', isDanger: true, run: () => open('revoke', key) },
            ]}
          />
        )}
      </td>
    </tr>
  );
}

const badges: Record<KeyState, readonly [tone: 'good' | 'warn' | 'plain', text: string]> = {
  active: ['good', 'Active'],
  replaced: ['warn', 'Replaced'],
  expired: ['plain', 'Expired'],
  revoked: ['plain', 'Revoked'],
};

function State({ apiKey: key }: { apiKey: Key }) {
  const state = stateOf(key);
  const [tone, text] = badges[state];
  const at = state === 'revoked' ? key.revoked_at : key.expires_at;
  return (
    <span class="row row-tight">
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
