import { setTimeout as pause } from 'node:timers/promises';

import { operator } from '../../actor.ts';
import { revokeApiKey } from '../../api-keys/revoke.ts';
import { deleteChatbot } from '../../chatbots/delete.ts';
import { AppError } from '../../errors.ts';
import { purgeEvents, purgeIdempotencyKeys } from '../../events/retention.ts';
import { run } from '../../operation.ts';
import { deleteProject } from '../../projects/delete.ts';
import type { Store } from '../../store.ts';
import { progress } from '../progress.ts';

const rowsOfStep = 500;
const endOfTime = '9999-12-31T23:59:59+00:00';

/** Called after each step. Where it throws, the deletion ends there; it can be run again. */
type OnStep = () => void;

export async function deleteChatbotInSteps(
  store: Store,
  projectId: string,
  chatbotId: string,
  onStep: OnStep = () => {},
): Promise<number> {
  const people = await store.contacts.page(projectId, chatbotId, { list: 'newest', isWhole: false }, 1, 1);
  const bar = progress(people?.total);
  try {
    return await repeat(
      async () => {
        const { output } = await run(deleteChatbot, store, operator(projectId), { chatbotId });
        return { done: output.purged, isLast: output.is_done };
      },
      (done) => {
        bar.update(done, done);
        onStep();
      },
    );
  } finally {
    bar.end();
  }
}

export async function deleteProjectInSteps(store: Store, projectId: string, onStep: OnStep = () => {}) {
  let [chatbots, contacts] = [0, 0];
  // A caller that keeps creating chatbots could block the deletion forever.
  for (const { id: keyId, revoked_at } of await store.apiKeys.list(projectId)) {
    if (revoked_at === null) await run(revokeApiKey, store, operator(projectId), { keyId });
  }
  for (;;) {
    for (const { id } of await store.chatbots.list(projectId)) {
      contacts += await deleteChatbotInSteps(store, projectId, id, onStep);
      chatbots++;
    }
    const all = { before: endOfTime, limit: rowsOfStep };
    for (const operation of [purgeEvents, purgeIdempotencyKeys]) {
      await repeat(async () => {
        const { output: done } = await run(operation, store, operator(projectId), all);
        return { done, isLast: done < rowsOfStep };
      }, onStep);
    }
    try {
      const { output: members } = await run(deleteProject, store, operator(projectId), undefined);
      return { chatbots, contacts, members };
    } catch (error) {
      // Somebody has just created a chatbot.
      if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
    }
  }
}

/** Repeats a step to the last; rests as long as it works, so that a service can write meanwhile. Returns how many are done. */
async function repeat(
  step: () => Promise<{ done: number; isLast: boolean }>,
  onStep: (all: number) => void,
): Promise<number> {
  for (let all = 0; ;) {
    const startedAt = performance.now();
    const { done, isLast } = await step();
    all += done;
    onStep(all);
    if (isLast) return all;
    await pause(performance.now() - startedAt);
  }
}
