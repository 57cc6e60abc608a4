import { hasAtMost, isStorable } from './identifier.ts';

export const emailLengthMax = 254;
export const websiteLengthMax = 2048;

// Addresses with letters beyond ASCII (RFC 6531) are real; quoted local parts are not worth their trouble.
const emailPattern = /^[^\s@<>()[\]\\,;:"]{1,64}@(?:[^\s@<>()[\]\\,;:".]+\.)+[^\s@<>()[\]\\,;:".]+$/u;
// A host of letters and digits that is no number, and a plain path: URL.parse would accept it, and take its time.
const plainWebsitePattern = /^https?:\/\/(?:[a-z][a-z\d]*\.)+[a-z]+(?:\/[\w./~-]*)?$/i;

/** Why the text cannot be kept, as words that follow the field's name; undefined when it can. */
export function objectionToText(text: string, lengthMax: number): string | undefined {
  if (!isStorable(text)) return 'holds a character that cannot be stored';
  return hasAtMost(text, lengthMax) ? undefined : `is longer than ${lengthMax} characters`;
}

/** Like objectionToText, for one e-mail address: `local@domain.tld`, at most 254 characters. */
export function objectionToEmail(text: string): string | undefined {
  if (!emailPattern.test(text)) return 'is not an e-mail address';
  return objectionToText(text, emailLengthMax);
}

/** Like objectionToText, for an http(s) address; the scheme may be missing, as CRMs often leave it out. */
export function objectionToWebsite(text: string): string | undefined {
  if (plainWebsitePattern.test(text)) return objectionToText(text, websiteLengthMax);
  const hasScheme = /^https?:\/\//i.test(text);
  const url = URL.parse(hasScheme ? text : `https://${text}`);
  if (!url || /\s/.test(text) || (!hasScheme && !isBareHost(text, url))) return 'is not a web address';
  return objectionToText(text, websiteLengthMax);
}

// `javascript:alert(1)` must not pass for a host and a port, nor `a@b.example` for a host.
function isBareHost(text: string, url: URL): boolean {
  return url.hostname.includes('.') && url.username === '' && !/^[a-z][a-z\d+-]*:/i.test(text);
}

const maybeUpperCase = /[^\0-@[-\x7f]/;

/** What an address is compared by: letter case does not count. */
export function emailKey(email: string): string {
  // Most addresses are their own key, and to see that takes a fraction of making it.
  return maybeUpperCase.test(email) ? email.toLowerCase() : email;
}
