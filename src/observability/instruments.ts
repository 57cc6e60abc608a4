import Counter from 'prom-client/lib/counter.js';
import Gauge from 'prom-client/lib/gauge.js';
import type Registry from 'prom-client/lib/registry.js';

interface Instrument {
  name: string;
  help: string;
}

export function addGauge(registry: Registry, { name, help }: Instrument, read: () => number): void {
  const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect: () => gauge.set(read()) });
}

export function addTotal(registry: Registry, { name, help }: Instrument, read: () => number): void {
  const total: Counter = new Counter({
    name,
    help,
    registers: [registry],
    collect: () => {
      total.reset();
      total.inc(read());
    },
  });
}

/** Adds a counter by one label; each value starts at 0, as a rate needs a first number. */
export function addCounter(
  registry: Registry,
  { name, help }: Instrument,
  label: string,
  values: readonly string[],
): (value: string, by?: number) => void {
  const counter = new Counter({ name, help, registers: [registry], labelNames: [label] });
  for (const value of values) counter.inc({ [label]: value }, 0);
  return (value, by = 1) => counter.inc({ [label]: value }, by);
}
