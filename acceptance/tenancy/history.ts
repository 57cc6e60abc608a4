interface Version<T> {
  value: T;
  /** Epoch, ms: it may have held from here on, */
  since: number;
  /** and what was before it no longer after this. */
  settled: number;
}

/** What a fact was at which time, as far as somebody can know who changes it from outside. */
export interface History<T> {
  /** A change begins: both values are right from now on, until it has ended. */
  change(value: T): Change;
  /** A change whose moment is known. */
  changeAt(value: T, moment: number): void;
  /** All that it may have been at some moment of this time. */
  between(from: number, to: number): T[];
  latest(): T;
}

export interface Change {
  /** It has taken effect, at the latest so many ms from now, and at the earliest at this moment (epoch, ms). */
  end(withinMs?: number, notBefore?: number): void;
  /** It was refused, and the value never held. */
  withdraw(): void;
}

export function historyOf<T>(value: T): History<T> {
  const versions: Version<T>[] = [{ value, since: 0, settled: 0 }];
  return {
    change: (next) => {
      const version = { value: next, since: Date.now(), settled: Infinity };
      versions.push(version);
      return {
        end: (withinMs = 0, notBefore = 0) => {
          version.since = Math.max(version.since, notBefore);
          version.settled = Math.max(Date.now() + withinMs, notBefore);
        },
        withdraw: () => void versions.splice(versions.indexOf(version), 1),
      };
    },
    changeAt: (next, moment) => void versions.push({ value: next, since: moment, settled: moment }),
    between: (from, to) =>
      versions
        .filter(({ since }, index) => since <= to && (versions[index + 1]?.settled ?? Infinity) >= from)
        .map((version) => version.value),
    latest: () => (versions.at(-1) as Version<T>).value,
  };
}
