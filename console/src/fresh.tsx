import { useEffect, useState } from 'preact/hooks';

import { obstacleOf, signInWithPasskey, useSignInState } from './passkeys.ts';
import { useSession } from './session.tsx';
import { Button } from './ui/button.tsx';
import { Code } from './ui/code.tsx';
import { Dialog, DialogEnd } from './ui/dialog.tsx';
import { ErrorNote } from './ui/failed.tsx';
import { Cancelled, onProofWanted, useAction } from './use-action.ts';

/** Opened where an action wants a fresh proof; once in the page. */
export function FreshDialog() {
  const [waiting, setWaiting] = useState<PromiseWithResolvers<void>>();
  useEffect(() => {
    onProofWanted(() => {
      const answer = Promise.withResolvers<void>();
      setWaiting(answer);
      return answer.promise.finally(() => setWaiting(undefined));
    });
    return () => onProofWanted(undefined);
  }, []);
  return waiting ? <Ask {...waiting} /> : null;
}

function Ask({ resolve: done, reject }: PromiseWithResolvers<void>) {
  const cancel = () => reject(new Cancelled());
  const { has_passkey: hasPasskey, member, session } = useSession();
  const [before] = useState({ session: session.id, member: member.id });
  const { data: state } = useSignInState();
  // A link that was opened in another tab has begun another session.
  useEffect(() => {
    if (member.id !== before.member) location.reload();
    else if (session.id !== before.session) done();
  }, [session.id]);
  const action = useAction(async () => {
    const after = await signInWithPasskey();
    // With the passkey of another member somebody is signed in as that member.
    if (after.member.id !== member.id) return location.reload();
    done();
  });
  const obstacle = state && obstacleOf(state);
  const isByPasskey = hasPasskey && state !== undefined && !obstacle;
  return (
    <Dialog title="Confirm it’s you" onClose={cancel}>
      <div class="prose" aria-busy={state === undefined}>
        {isByPasskey && <p>You signed in a while ago. Use your passkey to continue.</p>}
        {state && !isByPasskey && <ByLink obstacle={obstacle?.text} leave={cancel} />}
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

/** How to get a new sign-in link, if no passkey exists or can be used. */
function ByLink({ obstacle, leave }: { obstacle: string | undefined; leave: () => void }) {
  const { has_passkey: hasPasskey, session, member, can } = useSession();
  const mayAdd = obstacle === undefined && session.first_passkey_until !== null;
  return (
    <>
      {obstacle !== undefined && <p>{obstacle}</p>}
      <p>
        Without a passkey, this step works for {hasPasskey ? 'five minutes' : 'an hour'} after you opened a sign-in
        link.
        {mayAdd && (
          <>
            {' '}
            <a href="/console/account" onClick={leave}>
              Add a passkey
            </a>{' '}
            to confirm it here, or use a new link.
          </>
        )}
      </p>
      <p>
        {can('ownership')
          ? 'Create a sign-in link on the server:'
          : 'Ask the Owner for a sign-in link, under Members, or create one on the server:'}
      </p>
      <Code code={`roster console link --member ${member.email}`} />
      <p role="status" class="row">
        <span class="spinner" aria-hidden="true" />
        Open the link in another tab of this browser. This page then continues by itself.
      </p>
    </>
  );
}
