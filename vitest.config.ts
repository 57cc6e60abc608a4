import { availableParallelism } from 'node:os';

import { defineConfig } from 'vitest/config';

// A busy machine makes a test late, not wrong.
const limits = { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 10_000 } } };
// A process for each file would take a fifth of the time.
const shared = { isolate: false };

export default defineConfig({
  test: {
    globalSetup: ['test/support/setup.ts'],
    // Most tests wait for processes and sockets; a core left free would be idle.
    maxWorkers: Math.ceil(availableParallelism() * 2),
    projects: [
      {
        test: {
          ...limits,
          ...shared,
          name: 'SQLite',
          include: ['test/**/*.test.ts'],
          exclude: ['test/cli/postgres/**', 'test/release/**'],
          provide: { engine: 'SQLite' },
        },
      },
      {
        test: {
          ...limits,
          ...shared,
          name: 'PostgreSQL',
          // test/store holds both engines to one contract, so these alone reach more of PostgreSQL than what it proves.
          include: [
            'test/cli/postgres/**/*.test.ts',
            'test/cli/{metrics,search}.test.ts',
            'test/http/{console,contacts,export-found,field-values,if-match,made-by,members,merges,person}.test.ts',
            'test/http/{foreign-projects,purge,repeats,time-limit}.test.ts',
          ],
          provide: { engine: 'PostgreSQL' },
        },
      },
    ],
  },
});
