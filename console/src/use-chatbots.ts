import { useEffect } from 'preact/hooks';

import { roster } from './api.ts';
import { type Loaded, prefetch, useQuery } from './query.ts';
import type { Chatbot } from './types.ts';

const chosenKey = 'roster.chatbot';

const load = (signal: AbortSignal) => Array.fromAsync(roster.listChatbots({}, { signal }));

/** Asks before a screen does. */
export const askChatbots = () => prefetch<Chatbot[]>(['chatbots'], load);

/** The chatbots of the project, newest first. */
export function useChatbots(): Loaded<Chatbot[]> {
  return useQuery(['chatbots'], load);
}

/** The same, with how many contacts each has. */
export function useCountedChatbots(): Loaded<Chatbot[]> {
  return useQuery(['contacts', 'counts'], (signal) =>
    Array.fromAsync(roster.listChatbots({ include: ['contact_count'] }, { signal })),
  );
}

/** The chatbot that the address names, else the one that was looked at last, else the newest. */
export function useChosen(
  chatbots: readonly Chatbot[] | undefined,
  inAddress: string | undefined,
): Chatbot | undefined {
  const find = (id: string | null | undefined) => chatbots?.find((one) => one.id === id);
  const chosen = find(inAddress) ?? find(localStorage.getItem(chosenKey)) ?? chatbots?.[0];
  const id = chosen?.id;
  useEffect(() => {
    if (id !== undefined) localStorage.setItem(chosenKey, id);
  }, [id]);
  return chosen;
}
