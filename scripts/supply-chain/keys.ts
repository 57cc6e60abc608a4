import { inspectToken } from '../../src/api-keys/token.ts';

/** The example of the specification, whose checksum everybody may compute. */
const examples = new Set(['rst_zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17']);

/** Keys of ours in a text, but for the example; each by its last four characters, as it should not be repeated. */
export function keysIn(text: string): string[] {
  return Array.from(text.matchAll(/\brst_[0-9A-Za-z]{36}\b/g), ([token]) => token)
    .filter((token) => inspectToken(token).checksum === 'valid' && !examples.has(token))
    .map((token) => `rst_…${token.slice(-4)}`);
}
