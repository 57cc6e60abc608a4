import { useLocation } from 'preact-iso';

import { call } from '../api.ts';
import { useSession } from '../session.tsx';
import { IconButton } from '../ui/button.tsx';
import { messageOf } from '../ui/failed.tsx';
import { Icon } from '../ui/icon.tsx';
import { toast } from '../ui/toast.tsx';
import { ThemeChoice } from './theme-choice.tsx';

/** Help, the theme, and who is signed in. */
export function Who({ onShortcuts }: { onShortcuts: () => void }) {
  const { member } = useSession();
  const { route } = useLocation();
  const signOut = async () => {
    try {
      await call('POST', '/sign-out');
      route('/sign-in');
    } catch (error) {
      toast(messageOf(error as Error));
    }
  };
  return (
    <div class="who">
      <a class="screen-link" href="/docs" target="_blank" rel="noreferrer">
        <Icon name="docs" />
        Documentation
      </a>
      <button type="button" class="screen-link who-shortcuts" onClick={onShortcuts}>
        <Icon name="keyboard" />
        Shortcuts
      </button>
      <ThemeChoice />
      <div class="who-am-i">
        <span class="who-text">
          <strong title={member.email}>{member.email}</strong>
          <span class="soft small">{member.roles.join(', ')}</span>
        </span>
        <IconButton icon="leave" label="Sign out" onClick={() => void signOut()} />
      </div>
    </div>
  );
}
