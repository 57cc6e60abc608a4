import type { Config } from '../config.ts';
import { isLoopback } from '../values/loopback.ts';
import { note } from './output.ts';

/** Where links for people begin, as RunOptions take it. */
export function publicUrlOf({ publicUrl, port }: Pick<Config, 'publicUrl' | 'port'>): string {
  return publicUrl.replace(/:PORT$/, `:${port}`);
}

/** Warns of a link that nobody on another machine can open. */
export function noteReach(url: string): void {
  if (!isLoopback(new URL(url).hostname)) return;
  note('This link works on this machine only; set ROSTER_PUBLIC_URL, as for the service, to make links for others.');
}
