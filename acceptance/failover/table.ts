import type { Findings } from './ledger.ts';
import { longestUnserved, type Probe, type Span } from './probe.ts';
import type { Roster } from './rosters.ts';
import { type Round, toldIn } from './round.ts';

/** The results of one fault. */
export interface Row {
  fault: string;
  round: Round;
  findings: Findings;
  /** In ms. */
  longestSilence: number;
  /** In ms: the longest time without an acknowledgement while PostgreSQL took commits. */
  servedAgain: number;
}

export function rowOf(fault: string, round: Round, findings: Findings, probes: ReadonlyMap<Roster, Probe>): Row {
  const unserved = [...probes].map(([roster, { spans }]) =>
    longestUnserved(
      spans,
      silencesOf(round, (by) => by === roster),
    ),
  );
  const silences = silencesOf(round, () => true).map(({ from, to }) => to - from);
  return { fault, round, findings, longestSilence: Math.max(...silences), servedAgain: Math.max(...unserved) };
}

function silencesOf({ from, to, acks }: Round, isMeant: (by: Roster) => boolean): Span[] {
  const times = [from, ...acks.filter(({ by }) => isMeant(by)).map(({ at }) => at), to];
  return times.slice(1).map((time, index) => ({ from: times[index] ?? time, to: time }));
}

const head = [
  'Fault',
  'Acknowledged',
  'Lost',
  'Doubled',
  'Gaps',
  'Stale',
  'Longest silence',
  'Served again',
  'Callers were told',
];

export function tableOf(rows: readonly Row[]): string {
  const lines = rows.map(({ fault, round, findings, longestSilence, servedAgain }) => [
    fault,
    round.acks.length.toLocaleString('en'),
    findings.lost.length,
    findings.doubled.length,
    findings.gaps.length,
    round.stale.length,
    seconds(longestSilence),
    seconds(servedAgain),
    toldIn(round),
  ]);
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

export function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
