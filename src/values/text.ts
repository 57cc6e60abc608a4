import { hasAtMost, isStorable } from './storable.ts';

/** Why the text cannot be kept, in words that follow the field's name; undefined when it can. */
export function objectionToText(text: string, lengthMax: number): string | undefined {
  if (!isStorable(text)) return 'holds a character that cannot be stored';
  return hasAtMost(text, lengthMax) ? undefined : `is longer than ${lengthMax} characters`;
}

/** The digits of a number that came where a text belongs; undefined where JSON.parse may have rounded them. */
export function decimalText(number: number): string | undefined {
  const text = String(number);
  const isExact = Number.isSafeInteger(number) || !Number.isInteger(number);
  return isExact && /^-?\d+(\.\d+)?$/.test(text) ? text : undefined;
}

/** Whether every percent escape stands for UTF-8; a lenient parser would replace those that do not. */
export function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined;
  } catch {
    return false;
  }
}

/** A value of JSON.parse with its texts trimmed, and null for empty ones. A reviver would take fifty times as long. */
export function trimmed(value: unknown): unknown {
  if (typeof value === 'string') return value.trim() || null;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (const [index, entry] of value.entries()) value[index] = trimmed(entry);
    return value;
  }
  for (const [name, member] of Object.entries(value)) {
    const own = trimmed(member);
    // Not by assignment, as a name can be `__proto__`.
    if (own !== member) Object.defineProperty(value, name, { value: own });
  }
  return value;
}
