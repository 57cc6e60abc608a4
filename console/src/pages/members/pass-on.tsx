import type { Link } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { Secret } from '../../ui/copy.tsx';
import { DialogEnd } from '../../ui/dialog.tsx';
import { Time } from '../../ui/time.tsx';

/** A link that was made just now, for somebody else. */
export function PassOn({ label, link, onClose }: { label: string; link: Link; onClose: () => void }) {
  return (
    <>
      <div class="stack">
        <Secret
          takesFocus
          label={label}
          text={link.url}
          hint="It is shown only now. Pass it on yourself: Roster sends no e-mail."
        />
        <p class="soft small">
          It works once, and expires <Time value={link.expires_at} />.
        </p>
      </div>
      <DialogEnd>
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </DialogEnd>
    </>
  );
}
