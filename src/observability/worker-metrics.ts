import { AggregatorRegistry, Counter, Gauge, Registry } from 'prom-client';

import type { Snapshot } from './metrics.ts';
import { registerProcess } from './process.ts';

const answerWithinMs = 1_000;

/** The metrics of workers as those of one process. What a worker has counted outlives it, so no total ever falls. */
export interface WorkerMetrics {
  /** As Prometheus reads it; of a worker that does not answer within a second, what is known. */
  text: () => Promise<string>;
  /** Takes what a worker tells. */
  receive(worker: number, snapshot: Snapshot): void;
  /** Keeps the totals of a worker that has ended. */
  keep(worker: number): void;
}

/** `ask` asks each worker that listens for its snapshot, and returns their numbers. `version` is the program's. */
export function collectWorkerMetrics(version: string, ask: () => number[]): WorkerMetrics {
  const { registry, listening, ended } = ownMetrics(version);
  const latest = new Map<number, Snapshot>();
  const awaited = new Set<number>();
  const past: Snapshot[] = [];
  let onAllAnswered: (() => void) | undefined;
  let collecting: Promise<string> | undefined;
  const answered = (worker: number) => {
    awaited.delete(worker);
    if (awaited.size === 0) onAllAnswered?.();
  };
  const collect = async () => {
    const asked = ask();
    listening.set(asked.length);
    for (const worker of asked) awaited.add(worker);
    await new Promise<void>((resolve) => {
      const late = setTimeout(resolve, asked.length === 0 ? 0 : answerWithinMs);
      onAllAnswered = () => {
        clearTimeout(late);
        resolve();
      };
    });
    awaited.clear();
    const before = past.splice(0);
    past.unshift(await AggregatorRegistry.aggregate(before).getMetricsAsJSON());
    const own = await registry.getMetricsAsJSON();
    return AggregatorRegistry.aggregate([own, ...past, ...latest.values()]).metrics();
  };
  return {
    text: () => (collecting ??= collect().finally(() => (collecting = undefined))),
    receive: (worker, snapshot) => {
      latest.set(worker, snapshot);
      answered(worker);
    },
    keep: (worker) => {
      ended.inc();
      // What a process is, such as its memory, ends with it.
      const totals = latest.get(worker)?.filter(({ type }) => String(type) !== 'gauge');
      if (totals) past.push(totals);
      latest.delete(worker);
      answered(worker);
    },
  };
}

function ownMetrics(version: string) {
  const registry = new Registry();
  const registers = [registry];
  registerProcess(registry, version);
  return {
    registry,
    listening: new Gauge({ name: 'roster_workers', help: 'Workers that listen.', registers }),
    ended: new Counter({
      name: 'roster_workers_ended_total',
      help: 'Workers that ended and were replaced.',
      registers,
    }),
  };
}
