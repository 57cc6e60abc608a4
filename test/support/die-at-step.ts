import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

// Loaded before the program: kills it before its n-th change of a folder, n being DIE_AT_STEP.
const names = ['copyFileSync', 'chmodSync', 'linkSync', 'symlinkSync', 'renameSync', 'rmSync'] as const;
const changed = fs as unknown as Record<string, (...given: never[]) => unknown>;
let left = Number(process.env['DIE_AT_STEP']);
for (const name of names) {
  const original = changed[name];
  changed[name] = (...given) => {
    // Removing a file that is not there changes nothing.
    if (name !== 'rmSync' || fs.existsSync(String(given[0]))) left--;
    if (left === 0) process.kill(process.pid, 'SIGKILL');
    return original?.(...given);
  };
}
syncBuiltinESMExports();
