import { hash, randomInt } from 'node:crypto';

export const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
export const secretLength = 30;

/** 178 bits. */
export function newSecret(): string {
  let secret = '';
  for (let i = 0; i < secretLength; i++) secret += base62.charAt(randomInt(base62.length));
  return secret;
}

/** SHA-256 in hex: enough for a random secret, which no dictionary holds. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}
