/** A metric as its text tells it. */
export interface Family {
  help: string;
  type: string;
  samples: { name: string; labels: Record<string, string>; value: number }[];
}

/** Reads Prometheus text; throws where a line is none, comes twice, or belongs to no metric above it. */
export function parseMetrics(text: string): Map<string, Family> {
  const families = new Map<string, Family>();
  const seen = new Set<string>();
  let name = '';
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const [, word, named = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (word === 'HELP') {
      if (families.has(named)) throw new Error(`${named} is there twice`);
      families.set((name = named), { help: rest, type: '', samples: [] });
      continue;
    }
    const family = families.get(name);
    if (!family) throw new Error(`before any metric: ${line}`);
    if (word === 'TYPE') {
      if (named !== name || family.type !== '') throw new Error(`out of place: ${line}`);
      family.type = rest;
      continue;
    }
    const [, sample = '', braces = '', value = ''] = /^([\w:]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (familyOf(sample, family.type) !== name) throw new Error(`out of place: ${line}`);
    const labels = [...braces.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"(?:,|$)/g)];
    const series = `${sample}{${labels
      .map(([one]) => one.replace(/,$/, ''))
      .toSorted()
      .join()}}`;
    if (seen.has(series)) throw new Error(`twice: ${series}`);
    seen.add(series);
    family.samples.push({
      name: sample,
      labels: Object.fromEntries(labels.map(([, label = '', text = '']) => [label, text])),
      value: Number(value.replace('+Inf', 'Infinity')),
    });
  }
  return families;
}

function familyOf(sample: string, type: string): string {
  return type === 'histogram' ? sample.replace(/_(?:bucket|sum|count)$/, '') : sample;
}

const units = 'seconds|bytes|ratio|info|total';
const wrongUnits =
  /_(?:milliseconds|microseconds|nanoseconds|minutes|hours|days|kilobytes|megabytes|gigabytes|bits|percent|ms|s|sec|b|kb|mb|us|ns)(?:_|$)/;

/** What `promtool check metrics` complains about, and units that are missing; none where all is well. */
export function complaintsAbout(families: ReadonlyMap<string, Family>): string[] {
  return [...families].flatMap(([name, { help, type, samples }]) => {
    const labels = new Set(samples.flatMap((sample) => Object.keys(sample.labels)));
    labels.delete(type === 'histogram' ? 'le' : '');
    const isMeasure = /duration|delay|memory|time|utilization|cpu|sqlite/.test(name);
    const rules: [boolean, string][] = [
      [help === '', 'no help'],
      [!['counter', 'gauge', 'histogram'].includes(type), `type ${type}`],
      [(type === 'counter') !== name.endsWith('_total'), '_total is for counters'],
      [type !== 'histogram' && /_(?:bucket|count|sum)$/.test(name), 'a suffix of histograms'],
      [/_?(?:counter|gauge|histogram|summary)/.test(name), 'a type in the name'],
      [!/^[a-z][a-z0-9_]*$/.test(name), 'not in snake case'],
      [![...labels].every((label) => /^[a-z][a-z0-9_]*$/.test(label)), 'labels not in snake case'],
      [labels.has('le') || labels.has('quantile'), 'a label of histograms'],
      [wrongUnits.test(name), 'no base unit'],
      [isMeasure && !new RegExp(`_(?:${units})$`).test(name), 'no unit'],
      [samples.some(({ value }) => Number.isNaN(value)), 'not a number'],
    ];
    return rules.filter(([isWrong]) => isWrong).map(([, what]) => `${name}: ${what}`);
  });
}
