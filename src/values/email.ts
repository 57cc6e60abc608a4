import { objectionToText } from './text.ts';

export const emailLengthMax = 254;

/** Looser than the check, so that every regular expression dialect reads it. */
export const emailSchemaPattern = '^[^\\s@]+@[^\\s@]+$';

// Allows RFC 6531; quoted local parts are too rare to support.
const emailPattern = /^[^\s@<>()[\]\\,;:"]{1,64}@(?:[^\s@<>()[\]\\,;:".]+\.)+[^\s@<>()[\]\\,;:".]+$/u;

export function objectionToEmail(text: string): string | undefined {
  if (!emailPattern.test(text)) return 'is not an e-mail address';
  return objectionToText(text, emailLengthMax);
}

const maybeUpperCase = /[^\0-@[-\x7f]/;

export function emailKey(email: string): string {
  // The test is much cheaper than toLowerCase.
  return maybeUpperCase.test(email) ? email.toLowerCase() : email;
}
