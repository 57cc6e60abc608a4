import type { EraseContactsResult } from '@roster/client';

import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { counted } from '../contacts/view.ts';

const whole = new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeStyle: 'long' });

export interface Erased {
  receipt: EraseContactsResult;
  /** The names of the chatbots. */
  from: readonly string[];
}

/** The proof of an erasure. It names nobody. */
export function Receipt({ receipt, from }: Erased) {
  const lines = {
    Erased: counted(receipt.contacts),
    From: from.join(', '),
    When: whole.format(new Date(receipt.erased_at ?? '')),
    Reference: receipt.reference ?? '—',
    Receipt: receipt.receipt_id ?? '',
  };
  const text = Object.entries(lines).map(([name, value]) => `${name}: ${value}`);
  return (
    <Card
      title="Receipt of an erasure"
      about="Copy or print it now: Roster keeps its number and time among the events, and nothing of the person."
    >
      <dl class="facts" tabIndex={-1} ref={(list) => list?.focus()}>
        {Object.entries(lines).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      <div class="row no-print">
        <CopyButton text={text.join('\n')} />
        <Button onClick={() => print()}>Print</Button>
      </div>
    </Card>
  );
}
