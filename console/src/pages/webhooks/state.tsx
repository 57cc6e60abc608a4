import type { Webhook } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { Time } from '../../ui/time.tsx';
import { disabledBecause } from './words.ts';

export function State({ webhook: { state, failing_since: since, disabled_reason: reason } }: { webhook: Webhook }) {
  if (state === 'active') return <Badge tone="good">Working</Badge>;
  if (state === 'disabled') {
    return (
      <span class="row row-tight">
        <Badge>Disabled</Badge>
        <span class="soft small">{reason !== null && `because ${disabledBecause[reason]}`}</span>
      </span>
    );
  }
  return (
    <span class="row row-tight">
      <Badge tone="warn">Failing</Badge>
      <span class="soft small">since {since !== null && <Time value={since} />}</span>
    </span>
  );
}
