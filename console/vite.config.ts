import { defineConfig } from 'vite';

import { precompress } from './precompress.ts';

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [precompress()],
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
  },
});
