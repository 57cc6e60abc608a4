import { useState } from 'preact/hooks';

import { call } from '../../api.ts';
import { useSession } from '../../session.tsx';
import type { Link } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ErrorNote } from '../../ui/failed.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { useAction } from '../../use-action.ts';
import { PassOn } from '../members/pass-on.tsx';
import { Passkeys } from './passkeys.tsx';
import { Sessions } from './sessions.tsx';

export function Account() {
  const { member, project } = useSession();
  return (
    <>
      <PageHead
        title="Account"
        code={`roster console link --member ${member.email}`}
        about={
          <>
            <strong>{member.email}</strong>, {member.roles.join(', ')} of {project.name}
          </>
        }
      />
      <div class="cards">
        <Passkeys />
        <OtherDevice />
        <Sessions />
      </div>
    </>
  );
}

function OtherDevice() {
  const { member } = useSession();
  const [link, setLink] = useState<Link>();
  const action = useAction(async () =>
    setLink(await call<Link>('POST', '/members/{memberId}/sign-in-link', { memberId: member.id })),
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
        {link && <PassOn label="Sign-in link" link={link} hint="Copy it now: it is not shown again." />}
      </div>
    </Card>
  );
}
