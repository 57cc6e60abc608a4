export interface Finding {
  status: 'ok' | 'warning' | 'failed';
  finding: string;
  /** Fixes it; null where the status is ok. */
  command: string | null;
}

export type Check = { check: string } & Finding;

export const ok = (finding: string): Finding => ({ status: 'ok', finding, command: null });
export const warning = (finding: string, command: string): Finding => ({ status: 'warning', finding, command });
export const failed = (finding: string, command: string): Finding => ({ status: 'failed', finding, command });

export type Examination = ReturnType<typeof startExamination>;

export function startExamination() {
  const checks: Check[] = [];
  const note = (check: string, finding: Finding) => void checks.push({ check, ...finding });
  /** Reads a value and notes the judgement of it. After an error it returns undefined and names `command` as the remedy. */
  const read = async <T>(
    check: string,
    command: string,
    value: () => Promise<T> | T,
    judge: (value: T) => Finding,
  ): Promise<T | undefined> => {
    try {
      const found = await value();
      note(check, judge(found));
      return found;
    } catch (error) {
      note(check, failed((error as Error).message, command));
      return undefined;
    }
  };
  const examine = (check: string, command: string, find: () => Promise<Finding>) =>
    read(check, command, find, (finding) => finding);
  return { checks, note, read, examine };
}
