import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';

import { useObserved } from '../observed.ts';
import { obstacleOf, useSignInState } from '../passkeys.ts';
import { reach } from '../reach.ts';
import { useSession } from '../session.tsx';
import { IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';

const account = '/console/account';
const closedKey = 'first-passkey-closed';
const dayMs = 86_400_000;

/** Shown while a member who came by a link may still add the first passkey. */
export function FirstPasskey() {
  const { session } = useSession();
  const { path } = useLocation();
  return session.first_passkey_until === null || path === account ? null : <Banner />;
}

function Banner() {
  const { data: state } = useSignInState();
  const { isAway } = useObserved(reach);
  const [closedAt, setClosedAt] = useState(() => Number(localStorage.getItem(closedKey)));
  // While the server is away its notice stands here.
  if (!state || obstacleOf(state) || isAway || Date.now() - closedAt < dayMs) return null;
  const close = () => {
    localStorage.setItem(closedKey, String(Date.now()));
    setClosedAt(Date.now());
  };
  return (
    <p class="note note-warn first-passkey">
      <Icon name="keys" />
      <span>
        You have no passkey yet. <a href={account}>Add one now</a>. Later, you will need a new sign-in link for it.
      </span>
      <IconButton icon="close" label="Close for a day" onClick={close} />
    </p>
  );
}
