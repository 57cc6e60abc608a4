import { globSync } from 'node:fs';

import { defineConfig } from 'vitest/config';

// `npm run release` writes it.
const [executable] = globSync(`release/roster-*-${process.platform}-${process.arch}`);
if (executable === undefined) throw new Error('there is no executable; run "npm run release" first');

const common = {
  testTimeout: 300_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 30_000 } },
  isolate: false,
  env: { ROSTER_PROGRAM: executable },
  provide: { engine: 'SQLite' as const },
};

/** Tests of what `npm run release` made, and on request the command line with it: `--project commands`. */
export default defineConfig({
  test: {
    globalSetup: ['test/support/setup.ts'],
    projects: [
      { test: { ...common, name: 'release', include: ['test/release/*.test.ts'] } },
      { test: { ...common, name: 'commands', include: ['test/cli/**/*.test.ts'], exclude: ['test/cli/postgres/**'] } },
    ],
  },
});
