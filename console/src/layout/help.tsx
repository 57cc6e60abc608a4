import { Dialog } from '../ui/dialog.tsx';
import { shortcutsNow } from '../ui/keys.ts';
import { ShortcutSwitch } from '../ui/shortcut-switch.tsx';

const names: Record<string, string> = { ArrowDown: '↓', ArrowUp: '↑', Enter: 'Enter', ' ': 'Space' };

/** The shortcuts of the screen below, and the switch for all of them. */
export function Help({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Shortcuts" onClose={onClose}>
      <ul class="shortcuts">
        {shortcutsNow().map(({ keys, label }) => (
          <li key={keys} class="spread">
            {label}
            <span class="row tight">
              {keys.split(' ').map((key) => (
                <kbd key={key}>{names[key] ?? key}</kbd>
              ))}
            </span>
          </li>
        ))}
      </ul>
      <ShortcutSwitch />
    </Dialog>
  );
}
