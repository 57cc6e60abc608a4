import { useEffect } from 'preact/hooks';

import { api } from './api.ts';
import { type Loaded, useLoad } from './use-load.ts';

export interface Chatbot {
  id: string;
  name: string;
  version: string;
  visibility: 'private' | 'public';
  created_at: string;
}

const chosenKey = 'roster.chatbot';
const pagesMax = 50;

/** The chatbots of the project, newest first. */
export function useChatbots(): Loaded<Chatbot[]> {
  return useLoad(allChatbots);
}

async function allChatbots(signal: AbortSignal): Promise<Chatbot[]> {
  const all: Chatbot[] = [];
  let cursor: string | null = '*';
  for (let page = 0; page < pagesMax && cursor !== null; page++) {
    const query = { cursor, per_page: 100 };
    const found: { chatbots: Chatbot[]; next_cursor: string | null } = await api.get('/chatbots', { query, signal });
    all.push(...found.chatbots);
    cursor = found.next_cursor;
  }
  return all;
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
