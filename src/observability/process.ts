import { monitorEventLoopDelay, performance } from 'node:perf_hooks';

import Counter from 'prom-client/lib/counter.js';
import Gauge from 'prom-client/lib/gauge.js';
import type Registry from 'prom-client/lib/registry.js';

const sampledEveryMs = 20;

/** Adds the metrics of the process itself. `version` is the program's. */
export function registerProcess(registry: Registry, version: string): void {
  const registers = [registry];
  const memory: Gauge = new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Resident memory.',
    registers,
    collect: () => memory.set(process.memoryUsage.rss()),
  });
  const cpu: Counter = new Counter({
    name: 'process_cpu_seconds_total',
    help: 'CPU time of user and system.',
    registers,
    collect: () => {
      const { user, system } = process.cpuUsage();
      cpu.reset();
      cpu.inc((user + system) / 1e6);
    },
  });
  new Gauge({
    name: 'process_start_time_seconds',
    help: 'When the process was started, in Unix time.',
    registers,
  }).set(performance.timeOrigin / 1000);
  new Gauge({
    name: 'roster_build_info',
    help: '1, with the versions of the program and of Node.',
    labelNames: ['version', 'node_version'],
    registers,
  }).set({ version, node_version: process.versions.node }, 1);
  registerEventLoop(registers);
}

/** Delay and utilization of the event loop since the last scrape. */
function registerEventLoop(registers: Registry[]): void {
  const delay = monitorEventLoopDelay({ resolution: sampledEveryMs });
  delay.enable();
  // It measures the time between two of its timers.
  const seconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - sampledEveryMs / 1000);
  const names = ['mean', 'p50', 'p99', 'max'] as const;
  const gauges = names.map(
    (name, index) =>
      new Gauge({
        name: `nodejs_eventloop_delay_${name}_seconds`,
        help: `Delay of the event loop since the last scrape (${name}).`,
        registers,
        // A registry collects in this order, so the first gauge reads for all and resets.
        ...(index === 0 && { collect: () => read() }),
      }),
  );
  const read = () => {
    const { count, mean, max } = delay;
    const figures = count === 0 ? [] : [mean, delay.percentile(50), delay.percentile(99), max];
    gauges.forEach((gauge, index) => gauge.set(seconds(figures[index] ?? 0)));
    delay.reset();
  };
  let since = performance.eventLoopUtilization();
  const utilization: Gauge = new Gauge({
    name: 'nodejs_eventloop_utilization_ratio',
    help: 'Share of the time since the last scrape in which the event loop was busy.',
    registers,
    collect: () => {
      const now = performance.eventLoopUtilization();
      utilization.set(performance.eventLoopUtilization(now, since).utilization);
      since = now;
    },
  });
}
