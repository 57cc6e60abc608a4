import { addSeconds, formatTimestamp } from '../values/timestamp.ts';
import { bodyOf } from './representation.ts';
import type { Endpoint } from './router.ts';

const validSeconds = 180 * 86_400;

/** `/.well-known/security.txt` (RFC 9116): the address for reports of vulnerabilities. No route without a contact. */
export function securityPages(contact: string): Endpoint[] {
  if (contact === '') return [];
  return [
    {
      path: '/.well-known/security.txt',
      serve: async (exchange) => {
        const expires = formatTimestamp(addSeconds(new Date(), validSeconds));
        const text = `Contact: ${contact}\nExpires: ${expires}\nPreferred-Languages: en\n`;
        exchange.send(200, ['content-type', 'text/plain; charset=utf-8'], bodyOf(text));
      },
    },
  ];
}
