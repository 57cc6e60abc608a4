import { addSeconds, formatTimestamp } from '../values/timestamp.ts';
import { bodyOf, type Sender } from './exchange.ts';
import type { Page } from './router.ts';

const validSeconds = 180 * 86_400;

/** `/.well-known/security.txt` (RFC 9116): the address for reports of vulnerabilities. No route without a contact. */
export function securityPages({ send }: Pick<Sender, 'send'>, contact: string): Page[] {
  if (contact === '') return [];
  return [
    {
      path: '/.well-known/security.txt',
      serve: async (exchange) => {
        const expires = formatTimestamp(addSeconds(new Date(), validSeconds));
        const text = `Contact: ${contact}\nExpires: ${expires}\nPreferred-Languages: en\n`;
        send(exchange, 200, ['content-type', 'text/plain; charset=utf-8'], bodyOf(text));
      },
    },
  ];
}
