import { monitorEventLoopDelay, performance } from 'node:perf_hooks';

import Gauge from 'prom-client/lib/gauge.js';
import type Registry from 'prom-client/lib/registry.js';

import { addGauge, addTotal } from './instruments.ts';

const sampledEveryMs = 20;

export function registerProcess(registry: Registry, version: string): void {
  const memory = { name: 'process_resident_memory_bytes', help: 'Resident memory.' };
  addGauge(registry, memory, () => process.memoryUsage.rss());
  const cpu = { name: 'process_cpu_seconds_total', help: 'CPU time of user and system.' };
  addTotal(registry, cpu, () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  const start = {
    name: 'process_start_time_seconds',
    help: 'When the process was started, in Unix time.',
  };
  addGauge(registry, start, () => performance.timeOrigin / 1000);
  new Gauge({
    name: 'roster_build_info',
    help: '1, with the versions of the program and of Node.',
    labelNames: ['version', 'node_version'],
    registers: [registry],
  }).set({ version, node_version: process.versions.node }, 1);
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
    const instrument = {
      name: `nodejs_eventloop_delay_${name}_seconds`,
      help: `Delay of the event loop since the last scrape (${name}).`,
    };
    addGauge(registry, instrument, () => (delay.count === 0 ? 0 : seconds(read())));
  }
  let since = performance.eventLoopUtilization();
  const utilization = {
    name: 'nodejs_eventloop_utilization_ratio',
    help: 'Share of the time since the last scrape in which the event loop was busy.',
  };
  addGauge(registry, utilization, () => {
    const now = performance.eventLoopUtilization();
    const { utilization: share } = performance.eventLoopUtilization(now, since);
    since = now;
    return share;
  });
}
