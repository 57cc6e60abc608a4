import { sha256 } from '@noble/hashes/sha2.js';

const encoder = new TextEncoder();

/* What the server's code for files needs of node:crypto. Browsers hash only asynchronously, and not over plain HTTP. */
export function hash(_algorithm: 'sha256', text: string, _encoding: 'base64url'): string {
  const characters = String.fromCharCode(...sha256(encoder.encode(text)));
  return btoa(characters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
