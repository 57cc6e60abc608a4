import { useEffect, useState } from 'preact/hooks';

import { ApiError } from './api.ts';
import { isSupported, signInWithPasskey } from './passkeys.ts';
import { type Session, useSession } from './session.tsx';
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
    if (!(error instanceof ApiError) || error.code !== 'fresh_sign_in_required' || !ask) throw error;
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
  const { has_passkey: hasPasskey, member, reload } = useSession();
  const action = useAction(async () => {
    const after = await signInWithPasskey<Session>();
    // With the passkey of another member somebody is signed in as that member.
    if (after.member.id !== member.id) return location.reload();
    reload();
    done();
  });
  const isByPasskey = hasPasskey && isSupported();
  return (
    <Dialog title="Confirm that it is you" onClose={cancel}>
      <div class="prose">
        {isByPasskey ? (
          <p>This step is allowed for a short while after signing in. Use your passkey to go on.</p>
        ) : (
          <>
            <p>
              Roster wants to know again that it is you, and you cannot use a passkey here. Open a new sign-in link in
              this browser, then try again. The Owner can make one, and so can whoever runs Roster:
            </p>
            <Code code={`roster console link --member ${member.email}`} />
          </>
        )}
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
