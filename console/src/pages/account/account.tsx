import { useLocation } from 'preact-iso';

import { call } from '../../api.ts';
import { useSession } from '../../session.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/failed.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { useAction } from '../../use-action.ts';
import { OtherDevice } from './other-device.tsx';
import { Passkeys } from './passkeys.tsx';
import { Sessions } from './sessions.tsx';

export function Account() {
  const { member, project } = useSession();
  const { route } = useLocation();
  const signOut = useAction(async () => {
    await call('POST', '/sign-out');
    route('/sign-in');
  });
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
      >
        <Button icon="leave" isBusy={signOut.isBusy} onClick={() => void signOut.run()}>
          Sign out
        </Button>
      </PageHead>
      <ErrorNote error={signOut.error} />
      <div class="cards">
        <Passkeys />
        <OtherDevice />
        <Sessions />
      </div>
    </>
  );
}
