import { type EventType, eventTypes } from './event.ts';

export type Noun = EventType extends `${infer One}.${string}` ? One : never;
/** A type, or `noun.*` for all types of a noun. */
export type EventPattern = EventType | `${Noun}.*`;

const nouns = [...new Set(eventTypes.map((type) => type.slice(0, type.indexOf('.')) as Noun))];

/** Every pattern that there is: the types, then the nouns. */
export const eventPatterns: readonly [EventPattern, ...EventPattern[]] = [
  ...eventTypes,
  ...nouns.map((noun) => `${noun}.*` as const),
];

/** The types that match at least one pattern, in their order. `contact.*` is what begins with `contact.`. */
export function typesOf(patterns: readonly EventPattern[]): readonly EventType[] {
  return eventTypes.filter((type) =>
    patterns.some((pattern) => pattern === type || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1)))),
  );
}
