import { AppError } from '../errors.ts';
import type { OnAsked } from '../store.ts';

/** Reports every call as `port.method` once it has ended; an iteration ends with its last item. */
export function instrumented<Ports extends object>(ports: Ports, onAsked: OnAsked): Ports {
  const wrapped = Object.entries(ports as Record<string, object>).map(([name, port]) => [
    name,
    instrumentedPort(name, port, onAsked),
  ]);
  return Object.fromEntries(wrapped) as Ports;
}

export function instrumentedPort<Port extends object>(name: string, port: Port, onAsked: OnAsked): Port {
  const methods: Record<string, Method> = {};
  // Wrapped when it is asked for: a write makes its ports anew, and asks one or two methods.
  const get = (own: Port, key: string | symbol) => {
    const method = own[key as keyof Port] as Method | undefined;
    return method && (methods[String(key)] ??= timed(`${name}.${String(key)}`, method, onAsked));
  };
  return new Proxy(port, { get });
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
