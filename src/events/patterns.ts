import { type EventType, eventTypes } from './event.ts';

export type Noun = EventType extends `${infer One}.${string}` ? One : never;
/** A type, or `noun.*` for all types of a noun. */
export type EventPattern = EventType | `${Noun}.*`;

const nouns = [...new Set(eventTypes.map(nounOf))];

/** Every pattern that there is: the types, then the nouns. */
export const eventPatterns: readonly [EventPattern, ...EventPattern[]] = [
  ...eventTypes,
  ...nouns.map((noun) => `${noun}.*` as const),
];

/** The types that match at least one pattern, in their order. */
export function typesOf(patterns: readonly EventPattern[]): readonly EventType[] {
  return eventTypes.filter((type) => patterns.includes(type) || patterns.includes(`${nounOf(type)}.*`));
}

export function nounOf(type: EventType): Noun {
  return type.slice(0, type.indexOf('.')) as Noun;
}
