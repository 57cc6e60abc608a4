import { chmodSync } from 'node:fs';

// tsc writes no executable bit, and `npx roster` runs the file itself.
chmodSync(new URL('../dist/main.js', import.meta.url), 0o755);
