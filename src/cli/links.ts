import type { Config } from '../config/settings.ts';
import { isLoopback } from '../values/cidr.ts';
import { isHereOnly } from '../values/here-only.ts';
import { note, noteUnlessJson } from './output.ts';
import type { Flags } from './parts.ts';

export function publicUrlOf({ publicUrl, port }: Pick<Config, 'publicUrl' | 'port'>): string {
  return publicUrl.replace(/:PORT$/, `:${port}`);
}

export const makesLinks = { settings: ['databaseUrl', 'publicUrl', 'port'] } as const;

export function notePassOn(url: string, given: Flags, advice: string): void {
  noteUnlessJson(given, advice);
  warnIfHereOnly(url, ' here and for the service');
}

export function warnIfHereOnly(url: string, where = ''): void {
  if (!isHereOnly(url)) return;
  note(`This link works on this machine only; set ROSTER_PUBLIC_URL${where} to make links for others.`);
}

export const linksForOthers = {
  finding: 'links for people work on this machine only, although others reach the service',
  command: 'set ROSTER_PUBLIC_URL to the address that people open',
};

/** Whether others reach the service, by its address or a proxy, but not the links that it makes. */
export function makesDeadLinks(config: Pick<Config, 'publicUrl' | 'port' | 'host' | 'trustProxy'>): boolean {
  const isForOthers = !isLoopback(config.host) || config.trustProxy.length > 0;
  return isForOthers && isHereOnly(publicUrlOf(config));
}
