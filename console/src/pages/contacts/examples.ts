import type { Request } from '../../curl.ts';

/** Made-up requests, for somebody who has nothing yet. */
export function createAsText(chatbotId: string): Request {
  const properties = { name: 'Ana Lucía Ferreira', email: 'ana@example.com', tags: ['vip'] };
  return { method: 'POST', path: `/chatbots/${encodeURIComponent(chatbotId)}/contacts`, body: { properties } };
}

export function searchAsText(chatbotId: string, body: Readonly<Record<string, unknown>>): Request {
  return { method: 'POST', path: `/chatbots/${encodeURIComponent(chatbotId)}/contacts/search`, body };
}
