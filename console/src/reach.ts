import { call, requests } from './api.ts';
import { Observed } from './observed.ts';

const awayMs = 2_000;

/** Tells that the server answers again. */
export const returns = new Observed();

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
    if (wasAway && isThere) returns.tell();
  }

  readonly ask = (): void => {
    call('GET', '/health').catch(() => undefined);
  };
}

export const reach = new Reach();

requests.listen(({ status }) => reach.heard(status !== undefined && status !== 502 && status !== 504));
addEventListener('online', () => {
  if (reach.isAway) reach.ask();
});
