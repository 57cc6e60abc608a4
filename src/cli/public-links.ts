import type { Config } from '../config/settings.ts';
import { isLoopback } from '../values/cidr.ts';
import { note } from './output.ts';

/** The public address for links, as RunOptions take it. */
export function publicUrlOf({ publicUrl, port }: Pick<Config, 'publicUrl' | 'port'>): string {
  return publicUrl.replace(/:PORT$/, `:${port}`);
}

/** Warns that a link works on this machine only. */
export function noteReach(url: string): void {
  if (!isLoopback(new URL(url).hostname)) return;
  note('This link works on this machine only; set ROSTER_PUBLIC_URL, as for the service, to make links for others.');
}
