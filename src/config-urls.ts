/** The URL as it is, or what is wrong with it. Like every one here it may hold a password, and is never repeated. */
export function databaseUrl(text: string): string | { problem: string } {
  if (text.startsWith('sqlite:')) return sqliteUrl(text);
  if (!/^postgres(ql)?:/.test(text)) {
    return {
      problem: 'names no engine; allowed are sqlite:PATH and postgres://USER:PASSWORD@HOST:PORT/DATABASE',
    };
  }
  const [, hosts = '', query] =
    /^postgres(?:ql)?:\/\/(?:[^@/]*@)?([^@/?]*)\/[^/?]+(?:\?(.*))?$/.exec(text) ?? [];
  if (!hosts.split(',').every((one) => /^([\w.-]+|\[[\da-f:]+\])(:\d{1,5})?$/i.test(one))) {
    return {
      problem:
        'is not complete; allowed is postgres://USER:PASSWORD@HOST:PORT/DATABASE, where several hosts are separated by commas, and @, / and : in a password are written %40, %2F and %3A',
    };
  }
  const attributes = new URLSearchParams(query).get('target_session_attrs');
  return attributes === null || ['any', 'read-write', 'primary'].includes(attributes)
    ? text
    : {
        problem:
          'asks for a host that takes no writes; allowed for target_session_attrs are any, read-write and primary',
      };
}

/** Refused is what means a file elsewhere than it looks, or none that outlives the process. */
function sqliteUrl(text: string): string | { problem: string } {
  const path = text.slice('sqlite:'.length);
  if (path !== '' && !/^(\/\/[^/]|~|:memory:|file:)/.test(path)) return text;
  return {
    problem:
      'names no file; allowed is sqlite:PATH, such as sqlite:data/roster.db or sqlite:/var/lib/roster/roster.db',
  };
}

/** Only what the client understands whole; what it would ignore is a mistake. */
export function redisUrl(text: string): string | { problem: string } {
  const url = URL.parse(text);
  const isWhole =
    url !== null &&
    /^rediss?:$/.test(url.protocol) &&
    url.hostname !== '' &&
    /^\/?\d*$/.test(url.pathname) &&
    url.search + url.hash === '' &&
    isDecodable(url.username + url.password);
  return text === '' || isWhole
    ? text
    : {
        problem:
          'names no Redis; allowed is redis://HOST or rediss://HOST, with USER:PASSWORD@, :PORT and /NUMBER',
      };
}

function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined;
  } catch {
    return false;
  }
}
