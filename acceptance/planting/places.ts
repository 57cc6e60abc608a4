import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A text that is searched, and what it is. */
export interface Place {
  name: string;
  text: string;
}

/** All files below the folder but the database and what the operator asked for, `asked-…`; their names too. */
export function filesIn(folder: string): Place[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(({ name }) => !/^(roster\.db|asked-)/.test(name))
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return { name: path, text: entry.isFile() ? `${path}\n${readFileSync(path, 'latin1')}` : path };
    });
}

/** What others on the machine see of a process and its children: title and arguments. Nothing where there is no /proc. */
export function titlesOf(pid: number): Place[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
    return [pid, ...children.filter((child) => child !== '')].flatMap((one) =>
      ['cmdline', 'comm'].map((file) => ({
        name: `/proc/${one}/${file}`,
        text: readFileSync(`/proc/${one}/${file}`, 'utf8'),
      })),
    );
  } catch {
    return [];
  }
}
