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
          include: ['test/{http,cli,client,mcp,console}/**/*.test.ts'],
          // Tests that reach no statement of an engine's own run once: test/store holds both engines to one contract.
          exclude: [
            'test/cli/sqlite/**',
            'test/cli/{checkout,completion,failures,files,first-owner,help,import-fields,import-files,import-report,last-resort}.test.ts',
            'test/cli/{limits,mcp,process,terminals,webhooks}.test.ts',
            'test/mcp/{fence,requests}.test.ts',
            'test/console/!({directory,members,sign-in}.test.ts)',
            'test/http/edge/**',
            'test/client/{browser,package,restarts,retries}.test.ts',
            'test/*/shared-rate-limit.test.ts',
            'test/http/{answers,authentication,chatbots,connections,contact-refusals,engines-agree}.test.ts',
            'test/http/{malformed-requests,messages,networks,pipeline,project,rate-limit,reference}.test.ts',
            'test/http/{retrieve-api-key,retrieve-contact,routes,security-txt,webhooks}.test.ts',
          ],
          provide: { engine: 'PostgreSQL' },
        },
      },
    ],
  },
});
