import * as http from 'node:http';
import * as https from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';

import type { Attempt, Failure, Outgoing } from '../webhooks/outgoing.ts';
import { type Checked, type Lookup, openGuard } from './guard.ts';
import { openLookup } from './lookup.ts';
import { send } from './request.ts';
import { retryAfterMs } from './requests.ts';

export interface OutgoingOptions {
  lookup?: Lookup;
  /** Look-up, connection and TLS together. */
  connectMs?: number;
  timeoutMs?: number;
}

const bytesMax = 64 * 1024;
/** Idle connections kept by http, and as many by https. Beyond them each receiver keeps one. */
const idleMax = 100;
/** An agent of one's own takes no proxy from the environment. Idle connections end soon. */
const agentOptions: http.AgentOptions = { keepAlive: true, maxFreeSockets: 25, timeout: 4_000, autoSelectFamily: true };

/** `allow`: networks, addresses and hosts, with a port or any, that are open besides public addresses by https. */
export function openOutgoing(
  allow: readonly string[],
  { lookup = openLookup(), connectMs = 5_000, timeoutMs = 15_000 }: OutgoingOptions = {},
): Outgoing & Disposable {
  const check = openGuard(allow, lookup);
  const [plain, encrypted] = [keepingFew(new http.Agent(agentOptions)), keepingFew(new https.Agent(agentOptions))];
  const endless = new AbortController().signal;

  const attempt = async (
    { url: text, headers, body }: Parameters<Outgoing['post']>[0],
    signal: AbortSignal,
  ): Promise<Omit<Attempt, 'durationMs'>> => {
    const startedAt = performance.now();
    const leftMs = (limitMs: number) => Math.max(startedAt + limitMs - performance.now(), 1);
    const checked = await check(text, connectMs, signal);
    if (typeof checked === 'string') return { status: null, failure: checked };
    const { url } = checked;
    const kept = url.startsWith('https:') ? encrypted : plain;
    const sent = (agent: http.Agent | false) => {
      const limits = { connectMs: leftMs(connectMs), timeoutMs: leftMs(timeoutMs), bytesMax };
      return send({ url, method: 'POST', headers, body, agent, lookup: pinnedTo(checked) }, limits, signal);
    };
    const first = await sent(kept);
    // Retry once, on a new connection: other kept ones may have ended too, and the receiver may have read the first request.
    const answer = first === 'stale' ? await sent(false) : first;
    if (typeof answer === 'string') return { status: null, failure: answer === 'stale' ? 'closed_early' : answer };
    const { status } = answer;
    // Not an HTTP status: Node accepts any three digits.
    if (status < 100) return { status: null, failure: 'closed_early' };
    const pauseMs = status === 429 || status === 503 ? retryAfterMs(answer.headers) : undefined;
    return { status, failure: failureOf(status), ...(pauseMs !== undefined && { retryAfterMs: pauseMs }) };
  };

  return {
    refusalOf: async (url) => {
      const checked = await check(url, connectMs, endless);
      return typeof checked === 'string' ? checked : undefined;
    },
    post: async (request, signal = endless) => {
      const startedAt = performance.now();
      const made = await attempt(request, signal);
      return { ...made, durationMs: Math.round(performance.now() - startedAt) };
    },
    [Symbol.dispose]: () => {
      plain.destroy();
      encrypted.destroy();
    },
  };
}

function failureOf(status: number): Failure | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'redirect' : 'status';
}

function keepingFew<A extends http.Agent>(agent: A): A {
  return agent.prependListener('free', (socket: Socket, options: http.ClientRequestArgs) => {
    const hasOne = agent.freeSockets[agent.getName(options)] !== undefined;
    // The agent drops a destroyed socket.
    if (hasOne && Object.values(agent.freeSockets).flat().length >= idleMax) socket.destroy();
  });
}

/** Connects to what was checked: a second look-up could find other addresses. */
function pinnedTo({ addresses }: Checked): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, _options, callback) => callback(null, found);
}
