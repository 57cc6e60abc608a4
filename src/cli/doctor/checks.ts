/** One thing that was looked at. */
export interface Check {
  check: string;
  status: 'ok' | 'warning' | 'failed';
  finding: string;
  /** What mends it; null where there is nothing to mend. */
  command: string | null;
}

export type Finding = string | { warning: string; command: string } | { failed: string; command: string };

/** Runs `work` and notes its finding; what it throws is a failed check that `command` mends. Returns its value. */
export type Examine = <T>(
  name: string,
  command: string,
  work: () => Promise<[T, Finding]>,
) => Promise<T | undefined>;

/** Collects checks in the order in which they are made. */
export function examination(): { checks: Check[]; examine: Examine } {
  const checks: Check[] = [];
  const examine: Examine = async (name, command, work) => {
    try {
      const [value, finding] = await work();
      checks.push(toCheck(name, finding));
      return value;
    } catch (error) {
      checks.push({ check: name, status: 'failed', finding: (error as Error).message, command });
      return undefined;
    }
  };
  return { checks, examine };
}

function toCheck(check: string, finding: Finding): Check {
  if (typeof finding === 'string') return { check, status: 'ok', finding, command: null };
  return 'warning' in finding
    ? { check, status: 'warning', finding: finding.warning, command: finding.command }
    : { check, status: 'failed', finding: finding.failed, command: finding.command };
}
