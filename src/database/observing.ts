import { AppError } from '../errors.ts';
import type { OnAsked } from '../store.ts';

/** The same store, of which each question is told when it is answered, or has failed. */
export function observing<Operations extends object>(store: Operations, onAsked: OnAsked): Operations {
  const observed = Object.entries(store as Record<string, Operation>).map(([name, ask]) => {
    const observedAsk: Operation = async (...given) => {
      const start = performance.now();
      try {
        const answer = await ask(...given);
        onAsked(name, performance.now() - start);
        return answer;
      } catch (error) {
        onAsked(name, performance.now() - start, error instanceof AppError ? error.code : 'internal');
        throw error;
      }
    };
    return [name, observedAsk] as const;
  });
  return Object.fromEntries(observed) as Operations;
}

type Operation = (...given: unknown[]) => Promise<unknown>;
