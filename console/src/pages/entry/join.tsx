import { ButtonLink } from '../../ui/button.tsx';
import { ByLink } from './by-link.tsx';
import { Entry } from './entry.tsx';
import { useLinkToken } from './link-token.ts';

export function Join() {
  const [token] = useLinkToken();
  if (token === '') {
    return (
      <Entry title="This link is not complete">
        <p class="entry-lead">Open the whole link of your invitation, with everything after the #.</p>
        <ButtonLink href="/sign-in">I have joined already</ButtonLink>
      </Entry>
    );
  }
  return (
    <ByLink key={token} title="Join the project" verb="Join" path="/join" token={token} refused={<Refused />}>
      <p>Somebody has invited you to work on a project. Join to accept, and you are signed in.</p>
    </ByLink>
  );
}

function Refused() {
  return (
    <>
      <p class="entry-lead">
        It was used already, has expired or was withdrawn. If you have joined, sign in. Otherwise ask for a new link.
      </p>
      <ButtonLink href="/sign-in" kind="primary">
        Sign in
      </ButtonLink>
    </>
  );
}
