import { crc32 } from 'node:zlib';

import type { seededRandom } from '../../test/support/random.ts';

// The form of a key as it is documented, made here a second time: what is accepted is not asked how it makes one.
export const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
export const secretLength = 30;
const prefix = 'rst_';
const checksumLength = 6;

/** `rst_`, thirty characters and their right checksum. */
export function tokenOf(secret: string): string {
  return prefix + secret + checksumOf(secret);
}

/** A key that nobody was ever given, as well-formed as any. */
export function unissuedToken(random: ReturnType<typeof seededRandom>): string {
  return tokenOf(randomSecret(random, secretLength));
}

export function randomSecret(random: ReturnType<typeof seededRandom>, length: number): string {
  return Array.from({ length }, () => alphabet.charAt(random.below(alphabet.length))).join('');
}

function checksumOf(secret: string): string {
  let rest = crc32(secret);
  let text = '';
  for (let i = 0; i < checksumLength; i++) {
    text = alphabet.charAt(rest % alphabet.length) + text;
    rest = Math.floor(rest / alphabet.length);
  }
  return text;
}
