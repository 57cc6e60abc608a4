import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

import { call, errorAbout, statusOf } from '../../api.ts';
import type { Session } from '../../types.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/failed.tsx';
import { useAction } from '../../use-action.ts';
import { Entered } from './entered.tsx';
import { Entry } from './entry.tsx';
import { useLinkToken } from './link-token.ts';

interface ByLinkProps {
  title: string;
  verb: string;
  path: string;
  token: string;
  children: ComponentChildren;
  /** Where the link cannot be used. */
  refused: ComponentChildren;
}

/**
 * A link signs in only when somebody presses the button: programs that look at links in messages do not use it up, and
 * nobody is signed in unawares.
 */
export function ByLink({ title, verb, path, token, children, refused }: ByLinkProps) {
  const [session, setSession] = useState<Session>();
  const action = useAction(async () => setSession(await call<Session>('POST', path, { token })));
  if (session) return <Entered session={session} />;
  if (isRefused(action.error)) return <Entry title="This link is not valid">{refused}</Entry>;
  return (
    <Entry title={title}>
      <div class="entry-lead">{children}</div>
      <ErrorNote error={action.error} />
      <Button kind="primary" isBusy={action.isBusy} onClick={() => void action.run()}>
        {verb}
      </Button>
    </Entry>
  );
}

/** Unknown, used, expired or withdrawn: the answer tells nobody which. */
export function isRefused(error: Error | undefined): boolean {
  return statusOf(error) === 404 || errorAbout(error, (field) => field === 'token') !== undefined;
}

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
