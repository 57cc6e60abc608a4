import type { Request } from './api.ts';

/** Calls that read, though they post. */
const reads = /\/(?:search|lookup|disclose|duplicates|export|options|asks|values)$/;

/** What a change below a path makes old, besides the activity and the usage. */
const touched: Readonly<Record<string, readonly string[]>> = {
  chatbots: ['chatbots', 'contacts', 'duplicates'],
  contacts: ['contacts', 'duplicates'],
  merges: ['contacts', 'duplicates'],
  keys: ['keys'],
  members: ['members', 'keys', 'session'],
  passkeys: ['passkeys', 'sessions', 'session'],
  project: ['session'],
  sessions: ['sessions'],
  webhooks: ['webhooks'],
};

/** The topics that the request makes old; all of them for a path that is not known. */
export function makesOld({ method, path }: Request): readonly string[] {
  const [below = '', query] = path.split('?');
  if (method === 'GET' || reads.test(below) || new URLSearchParams(query).get('dry_run') === 'true') return [];
  // Every second part is an id.
  const word = below.split('/').findLast((one, place) => place % 2 === 1 && Object.hasOwn(touched, one));
  return word === undefined ? ['*'] : [...(touched[word] ?? []), 'activity', 'usage'];
}
