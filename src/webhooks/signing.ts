import { createHmac, randomBytes } from 'node:crypto';

import { formatTimestamp } from '../values/timestamp.ts';
import type { StoredWebhook } from './webhook.ts';

export function newSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** The headers of Standard Webhooks 1.0.0; `secrets` sign in this order, `at` is the time of the attempt. */
export function signedHeaders(id: string, at: Date, body: string, secrets: readonly string[]): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}

/** The secrets that sign at this time, the newest first. */
export function secretsAt({ secret, old_secret: old, old_secret_until: until }: StoredWebhook, now: Date): string[] {
  return old !== null && until !== null && until > formatTimestamp(now) ? [secret, old] : [secret];
}
