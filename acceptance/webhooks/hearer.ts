import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

import { Webhook } from 'standardwebhooks';

import { aReceiver, type Received, type Receiver } from '../../test/support/receiver.ts';
import type { Api } from '../parts/api.ts';
import { atOnce } from '../parts/at-once.ts';
import type { Event } from '../writes/feed.ts';
import { sharedChatbot } from '../writes/tenant.ts';

/** A webhook, and what its receiver has heard. */
export interface Hearer extends AsyncDisposable {
  id: string;
  receiver: Receiver;
  /** Any of these may have signed. */
  secrets: string[];
  /** What was answered with 204, by the id of the event. */
  heard: Map<string, Received['message']>;
  /** Of messages that were heard before. */
  repeats: number;
  /** One sentence for each message that is not signed or not whole. */
  wrong: string[];
  /** Events that it ought to hear. */
  wants: (event: Event) => boolean;
}

interface Given {
  events: readonly string[];
  chatbot_ids?: readonly string[];
  payload?: 'thin' | 'full';
}

const answersWithinMs = 50;
const writesAtOnce = 8;

/** Creates a webhook whose receiver checks each signature, and takes a moment for each answer; `breaks`: the next one is bad. */
export async function openHearer(api: Api, given: Given, breaks = () => false): Promise<Hearer> {
  const receiver = await aReceiver();
  const body = JSON.stringify({ url: receiver.url, ...given });
  const { id: webhookId, secret } = await api.data<Created>({ method: 'POST', path: '/v2/webhooks', body });
  const hearer: Hearer = {
    id: webhookId,
    receiver,
    secrets: [secret],
    heard: new Map(),
    repeats: 0,
    wrong: [],
    wants: ({ type, chatbot_id: about }) =>
      given.events.some((one) => one === type || one === `${type.split('.')[0]}.*`) &&
      (given.chatbot_ids?.includes(about ?? '') ?? true),
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  };
  const reply = (response: ServerResponse, number: number, { headers, message }: Received) => {
    const id = String(headers['webhook-id']);
    if (message.data['id'] !== id) hearer.wrong.push(`the message ${id} tells ${JSON.stringify(message)}`);
    if (breaks()) {
      if (number % 2 === 0) response.destroy();
      else response.writeHead(500).end();
      return;
    }
    if (hearer.heard.has(id)) hearer.repeats++;
    hearer.heard.set(id, message);
    response.writeHead(204).end();
  };
  receiver.answer = (response, number) => {
    const received = receiver.received[number - 1];
    if (!received) return;
    if (!isSigned(received, hearer.secrets)) hearer.wrong.push(`a message to ${webhookId} has no good signature`);
    setTimeout(reply, (7 * number) % answersWithinMs, response, number, received);
  };
  return hearer;
}

interface Created {
  id: string;
  secret: string;
}

export function isSigned({ body, headers }: Received, secrets: readonly string[]): boolean {
  return secrets.some((secret) => {
    try {
      new Webhook(secret).verify(body, headers as Record<string, string>);
      return true;
    } catch {
      return false;
    }
  });
}

/** How many of these events it has not heard, though it ought to. */
export function missingFrom({ heard, wants }: Hearer, events: readonly Event[]): number {
  return events.filter((event) => wants(event) && !heard.has(event.id)).length;
}

/** What it missed of the whole feed, heard otherwise than the feed has it, or heard though nobody committed it. */
export function objectionsTo(hearer: Hearer, events: readonly Event[]): string[] {
  const { id, heard, wants, wrong } = hearer;
  const told = new Map(events.filter(wants).map((event) => [event.id, event]));
  const missing = missingFrom(hearer, events);
  const odd = [...heard].filter(([eventId, { type, timestamp, data }]) => {
    const event = told.get(eventId);
    const { contact: _, member: __, ...thin } = data;
    const isRight = event?.type === type && event.occurred_at === timestamp;
    return !isRight || JSON.stringify(thin) !== JSON.stringify(event);
  });
  return [
    ...wrong,
    ...(missing > 0 ? [`the webhook ${id} has not heard of ${missing} of ${told.size} events`] : []),
    ...odd.map(([eventId]) => `the webhook ${id} heard of ${eventId}, which the feed does not tell so`),
  ].slice(0, 20);
}

/** What waits for its next attempt is tried at once. */
export async function hurry(api: Api, { id }: Hearer): Promise<void> {
  for (const state of ['disabled', 'active']) {
    await api.data({ method: 'PATCH', path: `/v2/webhooks/${id}`, body: JSON.stringify({ state }) });
  }
}

/** Creates so many contacts, several at once; asks again where there is no room for a request. */
export async function createContacts(api: Api, count: number): Promise<void> {
  const path = `/v2/chatbots/${sharedChatbot}/contacts`;
  const asked = { method: 'POST', path, body: JSON.stringify({ properties: { name: 'Person' } }) } as const;
  await atOnce(writesAtOnce, Array(count).keys(), async () => {
    for (let status = 503; status === 503;) ({ status } = await api.ask(asked));
  });
}

/** Looks again and again until it is so, or the time is over. Returns whether it is. */
export async function until(withinMs: number, isSo: () => boolean | Promise<boolean>): Promise<boolean> {
  for (const deadline = performance.now() + withinMs; performance.now() < deadline; await pause(5)) {
    if (await isSo()) return true;
  }
  return false;
}
