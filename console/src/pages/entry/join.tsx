import { ButtonLink } from '../../ui/button.tsx';
import { ByLink } from './by-link.tsx';
import { Entry } from './entry.tsx';
import { useLinkToken } from './link-token.ts';

export function Join() {
  const [token] = useLinkToken();
  if (token === '') {
    return (
      <Entry title="This link is incomplete">
        <p class="entry-lead">Copy the whole invitation link, including everything after the #.</p>
        <ButtonLink href="/sign-in">I have already joined</ButtonLink>
      </Entry>
    );
  }
  return (
    <ByLink key={token} title="Join the project" verb="Join" path="/join" token={token} refused={<Refused />}>
      <p>You have been invited to a project. Joining signs you in on this device.</p>
    </ByLink>
  );
}

function Refused() {
  return (
    <>
      <p class="entry-lead">
        It was used already, has expired or was withdrawn. If you have joined, sign in. Otherwise, ask for a new one.
      </p>
      <ButtonLink href="/sign-in" kind="primary">
        Sign in
      </ButtonLink>
    </>
  );
}
