import type { Exchange } from '../exchange.ts';
import type { HeaderList } from '../headers.ts';

const lifetimeSeconds = 30 * 24 * 3_600;

/** Whether people come by HTTPS: only then may a cookie have the prefix `__Host-`. */
function isSecure({ publicUrl }: Exchange): boolean {
  return publicUrl.startsWith('https:');
}

function nameOf(exchange: Exchange): string {
  return isSecure(exchange) ? '__Host-roster' : 'roster';
}

export function sessionToken(exchange: Exchange): string | undefined {
  const start = `${nameOf(exchange)}=`;
  const pairs = (exchange.arrival.request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  const found = pairs.filter((pair) => pair.startsWith(start));
  // Two of one name: somebody else may have set one of them.
  return found.length === 1 ? found[0]?.slice(start.length) : undefined;
}

/** Without a token it clears the cookie. */
export function sessionCookie(exchange: Exchange, token = ''): HeaderList {
  const seconds = token === '' ? 0 : lifetimeSeconds;
  const secure = isSecure(exchange) ? '; Secure' : '';
  return ['set-cookie', `${nameOf(exchange)}=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`];
}
