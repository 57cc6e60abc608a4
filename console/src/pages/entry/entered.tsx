import { useLocation } from 'preact-iso';
import { useEffect } from 'preact/hooks';

import { deviceOf } from '../../device.ts';
import { AlreadyThere, createPasskey, isSupported, useSignInState } from '../../passkeys.ts';
import { takeReturnPath } from '../../session.tsx';
import type { Session } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/failed.tsx';
import { Loading } from '../../ui/loading.tsx';
import { useAction } from '../../use-action.ts';
import { Entry } from './entry.tsx';

/** After a link has let somebody in: they may add a passkey for the next time. */
export function Entered({ session }: { session: Session }) {
  const { data: state, error } = useSignInState();
  if (!state && !error) return <Loading isWhole />;
  return state?.passkeys === true && isSupported() && !session.has_passkey ? <Offer session={session} /> : <GoOn />;
}

function Offer({ session }: { session: Session }) {
  const { route } = useLocation();
  const go = () => route(takeReturnPath(), true);
  const action = useAction(async () => {
    await createPasskey(deviceOf(navigator.userAgent)).catch((error: unknown) => {
      if (!(error instanceof AlreadyThere)) throw error;
    });
    go();
  });
  return (
    <Entry title={`Welcome to ${session.project.name}`}>
      <p class="entry-lead">
        You are signed in as <strong>{session.member.email}</strong>. Add a passkey to sign in next time with your
        fingerprint, face or device PIN. There are no passwords.
      </p>
      <ErrorNote error={action.error} />
      <Button kind="primary" icon="keys" isBusy={action.isBusy} onClick={() => void action.run()}>
        Add a passkey
      </Button>
      <Button kind="quiet" onClick={go}>
        Not now
      </Button>
    </Entry>
  );
}

export function GoOn() {
  const { route } = useLocation();
  useEffect(() => route(takeReturnPath(), true), [route]);
  return <Loading isWhole />;
}
