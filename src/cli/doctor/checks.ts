export interface Check {
  check: string;
  status: 'ok' | 'warning' | 'failed';
  finding: string;
  /** Fixes it; null where the status is ok. */
  command: string | null;
}

export type Finding = string | { warning: string; command: string } | { failed: string; command: string };

export type Examination = ReturnType<typeof startExamination>;

export function startExamination() {
  const checks: Check[] = [];
  const note = (name: string, finding: Finding) => void checks.push(toCheck(name, finding));
  return {
    checks,
    note,
    /** Notes the finding of `work` and returns its value, if any. `command` fixes what it throws. */
    examine: async <T>(
      name: string,
      command: string,
      work: () => Promise<Finding | [T, Finding]>,
    ): Promise<T | undefined> => {
      try {
        const result = await work();
        const [value, finding] = Array.isArray(result) ? result : [undefined, result];
        note(name, finding);
        return value;
      } catch (error) {
        note(name, { failed: (error as Error).message, command });
        return undefined;
      }
    },
  };
}

function toCheck(check: string, finding: Finding): Check {
  if (typeof finding === 'string') return { check, status: 'ok', finding, command: null };
  return 'warning' in finding
    ? { check, status: 'warning', finding: finding.warning, command: finding.command }
    : { check, status: 'failed', finding: finding.failed, command: finding.command };
}
