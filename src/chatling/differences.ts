/** Names this many of each kind, and counts the rest. */
const namedMax = 100;

export interface Compared {
  equal: boolean;
  /** At the source, and not here. */
  missing: string[];
  /** Here, and not at the source. */
  extra: string[];
  different: { id: string; fields: readonly string[] }[];
  /** How many of each there are beside those named. */
  more: { missing: number; extra: number; different: number };
}

/** Collects what two lists differ in, in memory that does not grow with them. */
export function collectDifferences() {
  const lists = { missing: [] as string[], extra: [] as string[], different: [] as Compared['different'] };
  const more = { missing: 0, extra: 0, different: 0 };
  const note = <Entry>(kind: keyof typeof more, list: Entry[], entry: Entry) => {
    if (list.length < namedMax) list.push(entry);
    else more[kind]++;
  };
  return {
    missing: (id: string) => note('missing', lists.missing, id),
    extra: (id: string) => note('extra', lists.extra, id),
    different: (id: string, fields: readonly string[]) => {
      if (fields.length > 0) note('different', lists.different, { id, fields });
    },
    result: (): Compared => ({
      equal: Object.values(lists).every((list) => list.length === 0),
      ...lists,
      more,
    }),
  };
}

type Values = Readonly<Record<string, unknown>>;

/** The names of the values that differ; undefined is not given. */
export function differing(given: Values, stored: Values): string[] {
  return Object.keys(given).filter(
    (name) => given[name] !== undefined && JSON.stringify(given[name]) !== JSON.stringify(stored[name]),
  );
}
