import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vite';

import { precompress } from './precompress.ts';
import { preload } from './preload.ts';

const serverSource = fileURLToPath(new URL('../src/', import.meta.url));

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [preload('pages/contacts/contacts.tsx'), precompress()],
  // The import reads files with the server's own code, which names these.
  resolve: {
    tsconfigPaths: true,
    alias: {
      'node:crypto': fileURLToPath(new URL('src/node/crypto.ts', import.meta.url)),
      'node:timers/promises': fileURLToPath(new URL('src/node/timers.ts', import.meta.url)),
      'csv-parse': 'csv-parse/browser/esm',
      'csv-stringify/sync': 'csv-stringify/browser/esm/sync',
    },
  },
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    // These have light-dark(), popovers and the JSON of passkeys.
    target: ['chrome129', 'firefox135', 'safari18.4'],
    // The policy of the page allows no script in the page itself.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    license: { fileName: 'licenses.md' },
    reportCompressedSize: false,
    rolldownOptions: {
      // Of the server's code only what is used comes along.
      treeshake: { moduleSideEffects: (id) => !id.startsWith(serverSource) },
      // Small parts come together: a request takes longer than they do.
      output: {
        codeSplitting: {
          groups: [
            { name: 'shared', test: /console\/src\/(?!pages)/, minShareCount: 2, maxModuleSize: 8_000 },
            { name: 'persons', test: /pages\/contacts?\//, minShareCount: 2 },
          ],
        },
      },
      // On a slow machine it would end each build with advice.
      checks: { bundlerTimings: false },
    },
  },
});
