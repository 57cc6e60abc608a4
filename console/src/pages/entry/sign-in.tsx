import { useState } from 'preact/hooks';

import { obstacleOf, signInWithPasskey, useSignInState } from '../../passkeys.ts';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { ErrorNote, Failed } from '../../ui/failed.tsx';
import { Loading } from '../../ui/loading.tsx';
import { useAction } from '../../use-action.ts';
import { ByLink } from './by-link.tsx';
import { GoOn } from './entered.tsx';
import { Entry } from './entry.tsx';
import { useLinkToken } from './link-token.ts';

export function SignIn() {
  const [token, forget] = useLinkToken();
  if (token === '') return <WithPasskey />;
  return (
    <ByLink
      key={token}
      title="Sign in to Roster"
      verb="Sign in"
      path="/sign-in/link"
      token={token}
      refused={<Refused forget={forget} />}
    >
      <p>This link signs you in on this device, once.</p>
    </ByLink>
  );
}

function Refused({ forget }: { forget: () => void }) {
  return (
    <>
      <p class="entry-lead">It was used already or has expired. Sign-in links work once, for 15 minutes.</p>
      <Button onClick={forget}>Sign in another way</Button>
      <LinkHelp />
    </>
  );
}

function WithPasskey() {
  const { data: state, error, reload } = useSignInState();
  if (error) return <Failed error={error} retry={reload} isWhole />;
  if (!state) return <Loading isWhole />;
  if (!state.is_set_up) return <NotSetUp />;
  const obstacle = obstacleOf(state);
  return (
    <Entry title="Sign in to Roster">
      {obstacle === undefined ? <UsePasskey /> : <NoPasskeys {...obstacle} />}
      <LinkHelp />
    </Entry>
  );
}

/** Before the first project. */
function NotSetUp() {
  return (
    <Entry title="Roster is not set up yet">
      <p class="entry-lead">
        Open the link that <code>roster serve</code> has printed in its terminal. Restart it if the link has expired.
      </p>
      <p>Without a terminal, as under Docker or systemd, create the project on the server:</p>
      <Code
        code={
          'roster projects create "Example Ltd" --id example --owner you@example.com\nroster console setup-link --project example'
        }
      />
    </Entry>
  );
}

function UsePasskey() {
  const [isIn, setIn] = useState(false);
  const action = useAction(async () => {
    await signInWithPasskey();
    setIn(true);
  });
  if (isIn) return <GoOn />;
  return (
    <>
      <p class="entry-lead">Use your fingerprint, face or device PIN.</p>
      <ErrorNote error={action.error} />
      <Button kind="primary" icon="keys" isBusy={action.isBusy} onClick={() => void action.run()}>
        Sign in with a passkey
      </Button>
    </>
  );
}

function NoPasskeys({ text, elsewhere }: { text: string; elsewhere?: URL }) {
  return (
    <>
      <p class="entry-lead">{text} Sign in with a link instead.</p>
      {elsewhere && (
        <a class="button button-primary" href={new URL('/sign-in', elsewhere).href}>
          <span>Go to {elsewhere.host}</span>
        </a>
      )}
    </>
  );
}

function LinkHelp() {
  return (
    <div class="entry-help prose small">
      <h2>No passkey on this device?</h2>
      <p>
        On a device where you are signed in, create a sign-in link under Account. Or ask the Owner for one. On the
        server, this command creates one:
      </p>
      <Code code="roster console link --member you@example.com" />
    </div>
  );
}
