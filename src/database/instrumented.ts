import { AppError } from '../errors.ts';
import type { OnAsked } from '../store.ts';

/** Reports every call as `port.method` once it has ended; an iteration ends with its last item. */
export function instrumented<Ports extends object>(ports: Ports, onAsked: OnAsked): Ports {
  return lazily(ports, (port, name) =>
    lazily(port as object, (method, key) => timed(`${name}.${key}`, method as Method, onAsked)),
  ) as Ports;
}

/** Wraps each property when it is asked for first: a write makes its ports anew, and asks one or two methods. */
export function lazily<Own extends object>(own: Own, wrap: (value: Own[keyof Own], name: string) => unknown): unknown {
  const wrapped: Record<string, unknown> = {};
  const get = (_own: Own, key: string | symbol) => {
    const name = String(key);
    if (name in own) wrapped[name] ??= wrap(own[name as keyof Own], name);
    return wrapped[name];
  };
  return new Proxy(own, { get });
}

type Method = (...given: unknown[]) => Promise<unknown> | AsyncIterable<unknown>;

function timed(name: string, method: Method, onAsked: OnAsked): Method {
  return (...given) => {
    const start = performance.now();
    const end = (error?: unknown) => onAsked(name, performance.now() - start, kindOf(error));
    const result = method(...given);
    return Symbol.asyncIterator in result ? iterated(result, end) : settled(result, end);
  };
}

function kindOf(error: unknown): Parameters<OnAsked>[2] {
  if (error instanceof AppError) return error.code;
  return error === undefined ? undefined : 'internal';
}

async function settled(result: Promise<unknown>, end: (error?: unknown) => void): Promise<unknown> {
  try {
    const value = await result;
    end();
    return value;
  } catch (error) {
    end(error);
    throw error;
  }
}

async function* iterated(items: AsyncIterable<unknown>, end: (error?: unknown) => void) {
  let failure: unknown;
  try {
    yield* items;
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    end(failure);
  }
}
