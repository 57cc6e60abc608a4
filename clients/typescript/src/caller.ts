import { Answer, type Answered, List } from './answer.ts';
import { attempt } from './attempt.ts';
import type { RosterError } from './errors.ts';
import type { Input, Operation } from './operation.ts';
import { type ChangeOptions as Options, type ClientOptions, type Settings, settingsOf } from './options.ts';
import { pause } from './pause.ts';
import { prepare } from './request.ts';
import { isGone, isRepeatable, isUndone, pauseAfter } from './retry.ts';
import { type ListAnswer, walk } from './walk.ts';

/** Sends the requests of all methods, with their retries. */
export class Caller {
  readonly #settings: Settings;

  constructor(options: ClientOptions) {
    this.#settings = settingsOf(options);
  }

  /** Sends at once, so that a call without `await` is sent too. */
  call<T>(operation: Operation, input: object, options: Options = {}): Answer<T> {
    const answer = new Answer<T>(() => this.#send(operation, input as Input, options));
    void answer.withResponse();
    return answer;
  }

  /** Sends only when awaited or walked: the first request of a walk differs from that of a page. */
  list<Page extends object, Item>(operation: Operation, input: object, options: Options = {}): List<Page, Item> {
    const { list = { items: '', size: '', sizeMax: 0 } } = operation;
    const ask = (given: Input) => this.#send<Page>(operation, given, options);
    const pages = () =>
      walk(
        list,
        this.#settings.isChatling,
        input as Input,
        async (given) => (await ask(given)).data as Page & ListAnswer,
        options.signal,
      );
    return new List<Page, Item>(
      () => ask(input as Input),
      pages,
      (page) => (page as Record<string, Item[]>)[list.items] ?? [],
    );
  }

  async #send<T>(operation: Operation, input: Input, options: Options): Promise<Answered<T>> {
    const settings = this.#settings;
    const { url, headers, body } = prepare(settings, operation, input, options);
    const { signal, retries = settings.retries, timeoutMs = settings.timeoutMs } = options;
    const waitMs = Number(input['wait'] ?? 0) * 1000;
    const isKeyless = settings.isChatling && operation.repeats === 'keyed' && operation.method === 'POST';
    const repeats = isKeyless ? 'never' : operation.repeats;
    let mayBeDone = false;
    for (let count = 1; ; count++) {
      const token = operation.isOpen === true ? '' : await settings.apiKey();
      if (token !== '') headers.set('authorization', `Bearer ${token}`);
      const init = { method: operation.method, headers, ...(body !== undefined && { body }) };
      try {
        return await attempt<T>(settings.fetch, url, init, timeoutMs + waitMs, signal);
      } catch (error) {
        const isRemoval = settings.isChatling && operation.method === 'DELETE';
        if (isRemoval && mayBeDone && isGone(error)) return doneBefore(error) as Answered<T>;
        const pauseMs = pauseAfter(error, count, settings.retryDelayMaxMs);
        if (count > retries || pauseMs === undefined || !isRepeatable(error, repeats)) throw error;
        mayBeDone ||= !isUndone(error);
        await pause(pauseMs, signal);
      }
    }
  }
}

function doneBefore({ status, requestId }: RosterError): Answered<undefined> {
  const unknown = { etag: undefined, location: undefined, rateLimit: undefined };
  return { data: undefined, status, requestId, headers: new Headers(), replayed: true, ...unknown };
}
