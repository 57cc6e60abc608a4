import { useLocation } from 'preact-iso';

import { obstacleOf, useSignInState } from '../passkeys.ts';
import { useSession } from '../session.tsx';
import { Icon } from '../ui/icon.tsx';

const account = '/console/account';

/** Shown while a member who came by a link may still add the first passkey. */
export function FirstPasskey() {
  const { session } = useSession();
  const { path } = useLocation();
  return session.first_passkey_until === null || path === account ? null : <Banner />;
}

function Banner() {
  const { data: state } = useSignInState();
  if (!state || obstacleOf(state)) return null;
  return (
    <p class="note note-warn first-passkey">
      <Icon name="keys" />
      <span>
        You have no passkey yet. <a href={account}>Add one now</a>. Later, you will need a new sign-in link for it.
      </span>
    </p>
  );
}
