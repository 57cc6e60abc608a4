import { objectionToText } from './text.ts';

export const websiteLengthMax = 2048;

const plainWebsitePattern = /^https?:\/\/(?:[a-z][a-z\d]*\.)+[a-z]+(?:\/[\w./~-]*)?$/i;

/** The scheme may be missing, as in many CRM exports. */
export function objectionToWebsite(text: string): string | undefined {
  if (plainWebsitePattern.test(text)) return objectionToText(text, websiteLengthMax);
  const hasScheme = /^https?:\/\//i.test(text);
  const url = URL.parse(hasScheme ? text : `https://${text}`);
  if (!url || /\s/.test(text) || (!hasScheme && !isBareHost(text, url))) return 'is not a web address';
  return objectionToText(text, websiteLengthMax);
}

// Rejects `javascript:alert(1)`, which parses as host and port, and `a@b.example`.
function isBareHost(text: string, url: URL): boolean {
  return url.hostname.includes('.') && url.username === '' && !/^[a-z][a-z\d+-]*:/i.test(text);
}
