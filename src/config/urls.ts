import { isDecodable } from '../values/text.ts';

/** The URL, or an error without it, as a URL may hold a password. */
export function databaseUrl(text: string): string | { error: string } {
  if (text.startsWith('sqlite:')) return sqliteUrl(text);
  if (/\p{Cc}/u.test(text))
    return { error: 'holds a line break or another control character; write it as %0A and the like' };
  if (!/^postgres(ql)?:/.test(text))
    return { error: 'names no engine; allowed are sqlite:PATH and postgres://USER:PASSWORD@HOST:PORT/DATABASE' };
  const [, hosts = '', query] = /^postgres(?:ql)?:\/\/(?:[^@/]*@)?([^@/?]*)\/[^/?]+(?:\?(.*))?$/.exec(text) ?? [];
  if (!hosts.split(',').every((one) => /^([\w.-]+|\[[\da-f:]+\])(:\d{1,5})?$/i.test(one))) {
    return {
      error:
        'is not complete; allowed is postgres://USER:PASSWORD@HOST:PORT/DATABASE, where several hosts are separated by commas, and @, / and : in a password are written %40, %2F and %3A',
    };
  }
  const attributes = new URLSearchParams(query).get('target_session_attrs');
  if (attributes === null || ['any', 'read-write', 'primary'].includes(attributes)) return text;
  return {
    error: 'asks for a host that takes no writes; allowed for target_session_attrs are any, read-write and primary',
  };
}

/** Rejects paths that name no lasting file, or another file than they seem to. */
function sqliteUrl(text: string): string | { error: string } {
  const path = text.slice('sqlite:'.length);
  if (path !== '' && !/^(\/\/[^/]|~|:memory:|file:)|\0/.test(path)) return text;
  return {
    error: 'names no file; allowed is sqlite:PATH, such as sqlite:data/roster.db or sqlite:/var/lib/roster/roster.db',
  };
}

export function publicUrl(text: string): string | { error: string } {
  const url = URL.parse(text.replace(/:PORT$/, ''));
  const isPlace = url !== null && /^https?:$/.test(url.protocol) && url.username + url.search + url.hash === '';
  if (isPlace && url.password === '') return text.replace(/\/+$/, '');
  return { error: 'is no place on the web; allowed is https://HOST or http://HOST, with a path if need be' };
}

export function redisUrl(text: string): string | { error: string } {
  const url = URL.parse(text);
  const isWhole =
    url !== null &&
    /^rediss?:$/.test(url.protocol) &&
    url.hostname !== '' &&
    /^\/?\d*$/.test(url.pathname) &&
    url.search + url.hash === '' &&
    isDecodable(url.username + url.password);
  if (text === '' || isWhole) return text;
  return {
    error: 'names no Redis; allowed is redis://HOST or rediss://HOST, with USER:PASSWORD@, :PORT and /NUMBER',
  };
}

/** The URL without user, password and parameters, which may hold a password too. */
export function withoutLogin(url: string): string {
  if (url.startsWith('sqlite:')) return url;
  return url.replace(/\/\/[^]*@/, '//***@').replace(/\?[^]*$/, '');
}

/** The address for reports of vulnerabilities (RFC 9116). */
export function contactAddress(text: string): string | { error: string } {
  if (text === '' || /^mailto:[\x21-\x7e]+@[\x21-\x7e]+$/.test(text)) return text;
  const url = URL.parse(text);
  if (url?.protocol === 'https:' && /^[\x21-\x7e]+$/.test(text)) return text;
  return { error: 'is no contact; allowed is mailto:security@example.com, or the https: address of a page' };
}
