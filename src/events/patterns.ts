import { type EventType, eventTypes } from './event.ts';

export type Noun = EventType extends `${infer One}.${string}` ? One : never;
export type EventPattern = EventType | `${Noun}.*`;

const nouns = [...new Set(eventTypes.map(nounOf))];

export const eventPatterns: readonly [EventPattern, ...EventPattern[]] = [
  ...eventTypes,
  ...nouns.map((noun) => `${noun}.*` as const),
];

export function typesOf(patterns: readonly EventPattern[]): readonly EventType[] {
  return eventTypes.filter((type) => patterns.includes(type) || patterns.includes(`${nounOf(type)}.*`));
}

export function nounOf(type: EventType): Noun {
  return type.slice(0, type.indexOf('.')) as Noun;
}
