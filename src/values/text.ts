import { hasAtMost, isStorable } from './identifier.ts';

/** Why the text cannot be kept, in words that follow the field's name; undefined when it can. */
export function objectionToText(text: string, lengthMax: number): string | undefined {
  if (!isStorable(text)) return 'holds a character that cannot be stored';
  return hasAtMost(text, lengthMax) ? undefined : `is longer than ${lengthMax} characters`;
}

/** Whether every percent escape stands for UTF-8; a lenient parser would replace those that do not. */
export function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined;
  } catch {
    return false;
  }
}

/** For JSON.parse: texts are trimmed, and an empty one is null. */
export function trimmed(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? value.trim() || null : value;
}
