import { crc32 } from 'node:zlib';

import { base62, newSecret, secretLength } from '../values/secret.ts';

export { hashSecret as hashToken } from '../values/secret.ts';

// The form of GitHub's tokens: by the CRC-32 a scanner tells a real key from a look-alike.
const prefix = 'rst_';
const checksumLength = 6;
const ownForm = /^rst_[0-9A-Za-z]{36}$/;
const anyForm = /^[\x21-\x7e]{16,256}$/;

/** A new secret of 178 bits from the system's generator: `rst_` + 30 + 6 characters of base62. */
export function generateToken(): string {
  const secret = newSecret();
  return prefix + secret + checksum(secret);
}

export function checksum(secret: string): string {
  let rest = crc32(secret);
  let text = '';
  while (rest > 0) {
    text = base62.charAt(rest % base62.length) + text;
    rest = Math.floor(rest / base62.length);
  }
  return text.padStart(checksumLength, '0');
}

export function inspectToken(token: string) {
  if (!ownForm.test(token)) return { form: 'other', checksum: null } as const;
  const secretEnd = prefix.length + secretLength;
  const valid = checksum(token.slice(prefix.length, secretEnd)) === token.slice(secretEnd);
  return { form: 'roster', checksum: valid ? 'valid' : 'invalid' } as const;
}

/** Whether a store could know the token: 16 to 256 visible ASCII characters, and a checksum that is right where there is one. */
export function isPossibleToken(token: string): boolean {
  return anyForm.test(token) && inspectToken(token).checksum !== 'invalid';
}
