import type Histogram from 'prom-client/lib/histogram.js';
import type Registry from 'prom-client/lib/registry.js';

type Labels = Readonly<Record<string, string>>;
export type Observe = (durationMs: number) => void;

interface Series {
  labels: Labels;
  /** One for each bucket and one above the last, not cumulated. */
  counts: number[];
  sumSeconds: number;
}

/**
 * Adds a histogram and returns what makes a series of it. prom-client's own looks its labels up for each observation,
 * which took 4 of the 36 µs of an answer.
 */
export function addDurations(
  registry: Registry,
  { name, help, buckets }: { name: string; help: string; buckets: readonly number[] },
): (labels: Labels) => Observe {
  const all = new Map<string, Series>();
  const described = { name, help, type: 'histogram', aggregator: 'sum' };
  const samples = () => [...all.values()].flatMap((series) => samplesOf(name, buckets, series));
  // The part of a metric that a registry uses; its types ask for more.
  const metric = { ...described, get: async () => ({ ...described, values: samples() }) };
  registry.registerMetric(metric as unknown as Histogram);
  return (labels) => {
    const id = Object.values(labels).join('\n');
    const series = all.get(id) ?? { labels, counts: Array<number>(buckets.length + 1).fill(0), sumSeconds: 0 };
    all.set(id, series);
    return (durationMs) => {
      const seconds = durationMs / 1000;
      let index = 0;
      while (seconds > (buckets[index] ?? Infinity)) index++;
      series.counts[index] = (series.counts[index] ?? 0) + 1;
      series.sumSeconds += seconds;
    };
  };
}

function samplesOf(name: string, buckets: readonly number[], { labels, counts, sumSeconds }: Series) {
  let total = 0;
  const cumulated = counts.map((count, index) => {
    total += count;
    return {
      metricName: `${name}_bucket`,
      labels: { le: buckets[index] ?? '+Inf', ...labels },
      value: total,
    };
  });
  return [
    ...cumulated,
    { metricName: `${name}_sum`, labels, value: sumSeconds },
    { metricName: `${name}_count`, labels, value: total },
  ];
}
