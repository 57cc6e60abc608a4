import { useEffect, useState } from 'preact/hooks';

import { codeOf } from './api.ts';
import { obstacleOf, signInWithPasskey, useSignInState } from './passkeys.ts';
import { useSession } from './session.tsx';
import { Button } from './ui/button.tsx';
import { Code } from './ui/curl.tsx';
import { Dialog, DialogEnd } from './ui/dialog.tsx';
import { ErrorNote } from './ui/failed.tsx';
import { Cancelled, useAction } from './use-action.ts';

let ask: (() => Promise<void>) | undefined;

/**
 * Repeats a call once somebody has shown again who they are, where Roster asks for that. Throws `Cancelled` where they
 * would rather not.
 */
export async function withFresh<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (codeOf(error) !== 'fresh_sign_in_required' || !ask) throw error;
  }
  await ask();
  return call();
}

interface Waiting {
  done: () => void;
  cancel: () => void;
}

/** Opened by `withFresh`; once in the page. */
export function FreshDialog() {
  const [waiting, setWaiting] = useState<Waiting>();
  useEffect(() => {
    ask = () =>
      new Promise<void>((resolve, reject) => {
        setWaiting({ done: resolve, cancel: () => reject(new Cancelled()) });
      }).finally(() => setWaiting(undefined));
    return () => (ask = undefined);
  }, []);
  return waiting ? <Ask {...waiting} /> : null;
}

function Ask({ done, cancel }: Waiting) {
  const { has_passkey: hasPasskey, member } = useSession();
  const { data: state } = useSignInState();
  const action = useAction(async () => {
    const after = await signInWithPasskey();
    // With the passkey of another member somebody is signed in as that member.
    if (after.member.id !== member.id) return location.reload();
    done();
  });
  const obstacle = state && obstacleOf(state);
  const isByPasskey = hasPasskey && state !== undefined && !obstacle;
  return (
    <Dialog title="Confirm that it is you" onClose={cancel}>
      <div class="prose" aria-busy={state === undefined}>
        {isByPasskey && <p>This step needs a recent sign-in. Use your passkey to continue.</p>}
        {state && !isByPasskey && <WithoutPasskey obstacle={obstacle?.text} leave={cancel} />}
      </div>
      <ErrorNote error={action.error} />
      <DialogEnd>
        <Button onClick={cancel}>Cancel</Button>
        {isByPasskey && (
          <Button kind="primary" icon="keys" isBusy={action.isBusy} onClick={() => void action.run()}>
            Use passkey
          </Button>
        )}
      </DialogEnd>
    </Dialog>
  );
}

/** Asks for a new sign-in link if no passkey exists or can be used. */
function WithoutPasskey({ obstacle, leave }: { obstacle: string | undefined; leave: () => void }) {
  const { has_passkey: hasPasskey, session, member, can } = useSession();
  const mayAdd = obstacle === undefined && session.first_passkey_until !== null;
  return (
    <>
      <p>
        {obstacle ?? 'You have no passkey.'} This step is allowed for {hasPasskey ? 'five minutes' : 'an hour'} after
        you opened a sign-in link.
        {mayAdd && (
          <>
            {' '}
            <a href="/console/account" onClick={leave}>
              Add a passkey
            </a>
            , and use it here.
          </>
        )}
      </p>
      <p>
        {mayAdd ? 'Or open' : 'Open'} a new sign-in link in this browser, then try again.{' '}
        {can('ownership')
          ? 'Ask the operator of Roster for one:'
          : 'The Owner can make one on the page Members, or the operator of Roster with:'}
      </p>
      <Code code={`roster console link --member ${member.email}`} />
    </>
  );
}
