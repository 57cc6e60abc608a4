import { useState } from 'preact/hooks';

import { call } from '../../api.ts';
import { withFresh } from '../../fresh.tsx';
import { useSession } from '../../session.tsx';
import type { Link } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Secret } from '../../ui/copy.tsx';
import { ErrorNote } from '../../ui/failed.tsx';
import { HereOnly } from '../../ui/here-only.tsx';
import { Time } from '../../ui/time.tsx';
import { useAction } from '../../use-action.ts';

export function OtherDevice() {
  const { member } = useSession();
  const [link, setLink] = useState<Link>();
  const input = { memberId: member.id };
  const action = useAction(async () =>
    setLink(await withFresh(() => call<Link>('POST', '/members/{memberId}/sign-in-link', input))),
  );
  return (
    <Card
      title="Another device"
      about="Create a link and open it on your other device. It signs you in once. Share it with nobody."
      actions={
        <Button isBusy={action.isBusy} onClick={() => void action.run()}>
          {link ? 'Create another link' : 'Create sign-in link'}
        </Button>
      }
    >
      <ErrorNote error={action.error} />
      <div aria-live="polite">
        {link && (
          <>
            <Secret label="Sign-in link" text={link.url} hint="Copy it now: it is not shown again." />
            <HereOnly url={link.url} />
            <p class="field-hint">
              It expires <Time value={link.expires_at} />.
            </p>
          </>
        )}
      </div>
    </Card>
  );
}
