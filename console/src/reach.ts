import { call, onAnswer } from './api.ts';
import { Observed } from './observed.ts';

const awayMs = 2_000;
const listeners = new Set<() => void>();

/** Calls back when the server answers again. Returns how to stop. */
export function onReturn(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Whether the server is away. Then it is asked every two seconds, until it answers. */
class Reach extends Observed {
  isAway = false;
  #asking: ReturnType<typeof setTimeout> | undefined;

  heard(isThere: boolean): void {
    const wasAway = this.isAway;
    this.isAway = !isThere;
    clearTimeout(this.#asking);
    if (this.isAway) this.#asking = setTimeout(this.ask, awayMs);
    if (wasAway !== this.isAway) this.tell();
    if (wasAway && isThere) for (const listener of listeners) listener();
  }

  readonly ask = (): void => {
    call('GET', '/health').catch(() => undefined);
  };
}

export const reach = new Reach();

onAnswer(({ status }) => reach.heard(status !== undefined && status !== 502 && status !== 504));
addEventListener('online', () => {
  if (reach.isAway) reach.ask();
});
