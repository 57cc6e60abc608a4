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
          exclude: ['test/cli/postgres/**'],
          provide: { engine: 'SQLite' },
        },
      },
      {
        test: {
          ...limits,
          ...shared,
          name: 'PostgreSQL',
          include: ['test/{http,cli,client,mcp,console}/**/*.test.ts'],
          // Tests that do not depend on the store run once.
          exclude: [
            'test/cli/sqlite/**',
            'test/cli/{failures,files,help,last-resort,import-fields,import-files,import-report,process,terminals}.test.ts',
            'test/mcp/{fence,requests}.test.ts',
            'test/console/{empty,inert,no-bin,plain-http,roles,screens,scrolling}.test.ts',
            'test/http/edge/**',
            'test/client/{package,restarts,retries}.test.ts',
            'test/*/shared-rate-limit.test.ts',
            'test/http/{answers,connections,engines-agree,malformed-requests,networks,reference}.test.ts',
          ],
          provide: { engine: 'PostgreSQL' },
        },
      },
    ],
  },
});
