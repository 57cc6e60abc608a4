import { objectionToText } from './text.ts';

export const emailLengthMax = 254;

/** For JSON Schema: looser than the check, so that it holds in every dialect of regular expressions. */
export const emailSchemaPattern = '^[^\\s@]+@[^\\s@]+$';

// Addresses beyond ASCII (RFC 6531) are real; quoted local parts are too rare to support.
const emailPattern = /^[^\s@<>()[\]\\,;:"]{1,64}@(?:[^\s@<>()[\]\\,;:".]+\.)+[^\s@<>()[\]\\,;:".]+$/u;

/** Like objectionToText, for one address: `local@domain.tld`, at most 254 characters. */
export function objectionToEmail(text: string): string | undefined {
  if (!emailPattern.test(text)) return 'is not an e-mail address';
  return objectionToText(text, emailLengthMax);
}

const maybeUpperCase = /[^\0-@[-\x7f]/;

/** The form by which addresses are compared: in lower case. */
export function emailKey(email: string): string {
  // The test costs a fraction of toLowerCase, and most addresses pass it.
  return maybeUpperCase.test(email) ? email.toLowerCase() : email;
}
