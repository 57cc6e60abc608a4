import { monitorEventLoopDelay, performance } from 'node:perf_hooks';

import type Registry from 'prom-client/lib/registry.js';

import { addGauge, addGauges, addTotal } from './instruments.ts';

const sampledEveryMs = 20;

export function registerProcess(registry: Registry, version: string): void {
  addGauge(registry, 'process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss());
  addTotal(registry, 'process_cpu_seconds_total', 'CPU time of user and system.', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  const started = 'When the process was started, in Unix time.';
  addGauge(registry, 'process_start_time_seconds', started, () => performance.timeOrigin / 1000);
  const versions = { version, node_version: process.versions.node };
  const built = '1, with the versions of the program and of Node.';
  addGauges(registry, 'roster_build_info', built, Object.keys(versions), () => [[versions, 1]]);
  registerEventLoop(registry);
}

function registerEventLoop(registry: Registry): void {
  const delay = monitorEventLoopDelay({ resolution: sampledEveryMs });
  delay.enable();
  // The histogram measures the time between two timers.
  const seconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - sampledEveryMs / 1000);
  const figures: Record<string, () => number> = {
    mean: () => delay.mean,
    p50: () => delay.percentile(50),
    p99: () => delay.percentile(99),
    max: () => {
      const { max } = delay;
      // A registry collects in order of registration, so this is the last reading.
      delay.reset();
      return max;
    },
  };
  for (const [name, read] of Object.entries(figures)) {
    const help = `Delay of the event loop since the last scrape (${name}).`;
    addGauge(registry, `nodejs_eventloop_delay_${name}_seconds`, help, () => (delay.count === 0 ? 0 : seconds(read())));
  }
  let since = performance.eventLoopUtilization();
  const busy = 'Share of the time since the last scrape in which the event loop was busy.';
  addGauge(registry, 'nodejs_eventloop_utilization_ratio', busy, () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, since);
    since = now;
    return utilization;
  });
}
