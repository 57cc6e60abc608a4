import { isIP } from 'node:net';

import { withinCidrs } from '../values/cidr.ts';
import { targetIn } from '../values/target.ts';

/** Reads the text of a setting, or says what is wrong and what is allowed, without the text. */
export type ReadSetting<T> = (text: string) => T | { error: string };

export function host(text: string): string | { error: string } {
  return isIP(text) > 0 || /^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(text)
    ? text
    : { error: 'is no address; allowed is an IP address or a host name' };
}

export function wholeNumber(min: number, max: number): ReadSetting<number> {
  return (text) => {
    const value = Number(text);
    if (/^\d{1,10}$/.test(text) && value >= min && value <= max) return value;
    const error = /^-?\d+$/.test(text) ? 'is out of range' : 'is no whole number';
    return { error: `${error}; allowed is a whole number from ${min} to ${max}` };
  };
}

export function oneOf<Word extends string>(words: readonly Word[]): ReadSetting<Word> {
  const error = `is unknown; allowed is one of ${words.join(', ')}`;
  return (text) => words.find((word) => word === text.toLowerCase()) ?? { error };
}

export function listOf(read: ReadSetting<string>): ReadSetting<string[]> {
  return (text) => {
    const items = text.split(',').map((item) => item.trim());
    const values = items.filter((item) => item !== '').map(read);
    return values.find((value) => typeof value === 'object') ?? (values as string[]);
  };
}

export function origin(text: string): string | { error: string } {
  if (URL.parse(text)?.origin === text && /^https?:/.test(text)) return text;
  const allowed = 'allowed are such as https://app.example.com, separated by commas';
  return { error: `holds something else than origins; ${allowed}` };
}

export function cidr(text: string): string | { error: string } {
  try {
    withinCidrs([text]);
    return text;
  } catch {
    return { error: 'holds something else than CIDRs; allowed are such as 10.0.0.0/8, separated by commas' };
  }
}

export function target(text: string): string | { error: string } {
  if (targetIn(text) !== undefined) return text;
  const allowed = 'allowed are such as 10.0.0.0/8, [fd00::/8]:443 and n8n.internal:5678, separated by commas';
  return { error: `holds something else than networks, addresses and hosts; ${allowed}` };
}
