import { isHereOnly } from '../../../src/values/here-only.ts';
import { Icon } from './icon.tsx';

/** Warns of a link that only this machine can open. */
export function HereOnly({ url }: { url: string }) {
  if (!isHereOnly(url)) return null;
  return (
    <p class="note note-warn small">
      <Icon name="warning" />
      <span>This link works on this machine only. Set ROSTER_PUBLIC_URL on the server to create links for others.</span>
    </p>
  );
}
