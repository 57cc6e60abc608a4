import type { Config } from '../../config/settings.ts';
import { isLoopback } from '../../values/cidr.ts';
import { isHereOnly } from '../../values/here-only.ts';
import { publicUrlOf } from '../links.ts';
import { type Finding, ok, warning } from './checks.ts';

/** Warns where others reach the service, and the links that it makes for them are dead. */
export function linksFinding(config: Pick<Config, 'publicUrl' | 'port' | 'host' | 'trustProxy'>): Finding {
  const url = publicUrlOf(config);
  if (!isHereOnly(url)) return ok(`those for people begin with ${url}`);
  if (isLoopback(config.host) && config.trustProxy.length === 0) {
    return ok('those for people work on this machine only, and so does the service');
  }
  return warning(
    'those for people work on this machine only, and the service is for others too',
    'set ROSTER_PUBLIC_URL to the address that people open',
  );
}
