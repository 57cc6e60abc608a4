import Counter from 'prom-client/lib/counter.js';
import Gauge from 'prom-client/lib/gauge.js';
import type Registry from 'prom-client/lib/registry.js';

type Labels = Readonly<Record<string, string>>;

export function addGauge(registry: Registry, name: string, help: string, read: () => number): void {
  addGauges(registry, name, help, [], () => [[{}, read()]]);
}

export function addGauges(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly string[],
  read: () => (readonly [Labels, number])[],
): void {
  const collect = () => read().forEach(([labels, value]) => gauge.set(labels, value));
  const gauge: Gauge = new Gauge({ name, help, labelNames, registers: [registry], collect });
}

export function addTotal(registry: Registry, name: string, help: string, read: () => number): void {
  const collect = () => {
    total.reset();
    total.inc(read());
  };
  const total: Counter = new Counter({ name, help, registers: [registry], collect });
}

/** Adds a counter by one label; each value starts at 0, as a rate needs a first number. */
export function addCounter(
  registry: Registry,
  name: string,
  help: string,
  [label, values]: readonly [label: string, values: readonly string[]],
): (value: string, by?: number) => void {
  const counter = new Counter({ name, help, registers: [registry], labelNames: [label] });
  for (const value of values) counter.inc({ [label]: value }, 0);
  return (value, by = 1) => counter.inc({ [label]: value }, by);
}
