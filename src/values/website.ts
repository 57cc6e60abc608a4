import { objectionToText } from './text.ts';

export const websiteLengthMax = 2048;

// Decides the common case in a fraction of the time of URL.parse.
const plainWebsitePattern = /^https?:\/\/(?:[a-z][a-z\d]*\.)+[a-z]+(?:\/[\w./~-]*)?$/i;

/** Like objectionToText, for an http(s) address; the scheme may be missing, as in many CRM exports. */
export function objectionToWebsite(text: string): string | undefined {
  if (plainWebsitePattern.test(text)) return objectionToText(text, websiteLengthMax);
  const hasScheme = /^https?:\/\//i.test(text);
  const url = URL.parse(hasScheme ? text : `https://${text}`);
  if (!url || /\s/.test(text) || (!hasScheme && !isBareHost(text, url))) return 'is not a web address';
  return objectionToText(text, websiteLengthMax);
}

// Refuses `javascript:alert(1)`, which parses as a host and a port, and `a@b.example`.
function isBareHost(text: string, url: URL): boolean {
  return url.hostname.includes('.') && url.username === '' && !/^[a-z][a-z\d+-]*:/i.test(text);
}
