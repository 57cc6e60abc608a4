import type { Link } from '../../types.ts';
import { Secret } from '../../ui/copy.tsx';
import { HereOnly } from '../../ui/here-only.tsx';
import { Time } from '../../ui/time.tsx';

const forOthers = 'Copy it now and send it yourself. It is not shown again, and Roster sends no e-mail.';

/** A link that was made just now; without a hint for somebody else. */
export function PassOn({ label, link, hint = forOthers }: { label: string; link: Link; hint?: string }) {
  return (
    <>
      <Secret label={label} text={link.url} hint={hint} />
      <HereOnly url={link.url} />
      <p class="soft small">
        It works once and expires <Time value={link.expires_at} />.
      </p>
    </>
  );
}
