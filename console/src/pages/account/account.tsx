import { useSession } from '../../session.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { OtherDevice } from './other-device.tsx';
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
