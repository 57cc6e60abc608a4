const rounds = 5;
const lookups = 20_000;

export interface Measured {
  perSecond: number;
  cpuMicros: number;
  p50: number;
  p99: number;
}

export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function numberTo(n: number): number {
  return 1 + Math.floor(Math.random() * n);
}

/** Looks up random contacts, `width` at a time: the median round. */
export async function lookUp(width: number, n: number, ask: (i: number) => Promise<unknown>): Promise<Measured> {
  const perSecond: number[] = [];
  const cpu: number[] = [];
  const times: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    let left = lookups;
    const [cpuAt, startedAt] = [process.cpuUsage(), performance.now()];
    await Promise.all(
      Array.from({ length: width }, async () => {
        while (left-- > 0) {
          const at = performance.now();
          if ((await ask(numberTo(n))) === undefined) throw new Error('a contact that is there was not found');
          if (round > 0) times.push(performance.now() - at);
        }
      }),
    );
    const { user, system } = process.cpuUsage(cpuAt);
    // The first round warms up.
    if (round === 0) continue;
    perSecond.push((lookups / (performance.now() - startedAt)) * 1_000);
    cpu.push((user + system) / lookups);
  }
  times.sort((a, b) => a - b);
  return {
    perSecond: Math.round(median(perSecond)),
    cpuMicros: median(cpu),
    p50: times[Math.floor(times.length * 0.5)] ?? 0,
    p99: times[Math.floor(times.length * 0.99)] ?? 0,
  };
}

export function shown({ perSecond, cpuMicros, p50, p99 }: Measured): string {
  return `${perSecond}/s | ${cpuMicros.toFixed(1)} µs CPU | p50 ${(p50 * 1000).toFixed(0)} µs | p99 ${(p99 * 1000).toFixed(0)} µs`;
}
