import { setTimeout as pause } from 'node:timers/promises';

import { type Asked, codeOf } from '../parts/api.ts';
import type { Reply } from '../parts/caller.ts';
import { sharedChatbot, type Tenant } from '../writes/tenant.ts';
import type { Roster } from './rosters.ts';
import { type Ack, openAsker } from './round.ts';

export const contacts = `/v2/chatbots/${sharedChatbot}/contacts`;
export const restMs = 40;
const againAfterMs = 200;

interface Listening {
  onAck: (ack: Ack) => void;
  onUnexpected: (what: string) => void;
  onAnswer: (what: string) => void;
  signal: AbortSignal;
}

/** Creates contacts and changes its first one, in turn. Repeats each write at one Roster and the other until it succeeds. */
export async function writeOn(
  writer: number,
  { project, token }: Tenant,
  rosters: readonly Roster[],
  { onAck, onUnexpected, onAnswer, signal }: Listening,
): Promise<void> {
  const ask = openAsker(token, onAnswer);
  let own = '';
  let turn = writer;
  const insist = async (asked: Asked): Promise<{ by: Roster; reply: Reply } | undefined> => {
    for (; !signal.aborted; await pause(againAfterMs)) {
      const by = rosters[turn++ % rosters.length] as Roster;
      const reply = await ask(by, asked);
      if (reply && reply.status < 300) return { by, reply };
      if (!reply || isToBeRepeated(reply)) continue;
      onUnexpected(`${asked.method} ${asked.path} was answered with ${reply.status} ${reply.body}`);
      return undefined;
    }
    return undefined;
  };
  for (let count = 1; !signal.aborted; count++, await pause(restMs)) {
    const isChange = own !== '' && count % 2 === 0;
    const name = `Person ${writer}-${count}`;
    const requestId = `request-${writer}-${count}`;
    const answered = await insist({
      method: isChange ? 'PATCH' : 'POST',
      path: isChange ? `${contacts}/${own}` : contacts,
      body: JSON.stringify({ properties: isChange ? { company: String(count) } : { name } }),
      idempotencyKey: `key-${writer}-${count}`,
      requestId,
    });
    if (!answered) continue;
    const { id: contactId } = (JSON.parse(answered.reply.body) as { data: { id: string } }).data;
    own ||= contactId;
    const told = isChange ? { name: '', count } : { name, count: 0 };
    onAck({ project, writer, requestId, contactId, ...told, by: answered.by, at: performance.now() });
  }
}

function isToBeRepeated(reply: Reply): boolean {
  return reply.status === 503 || ['outcome_unknown', 'idempotency_in_progress'].includes(codeOf(reply) ?? '');
}
