import { readFileSync, writeFileSync } from 'node:fs';

import { buildDocument } from './openapi-document.ts';

/** Writes openapi.json from the routes; with --check only says whether it is current. */
const file = new URL('../openapi.json', import.meta.url);
const text = `${JSON.stringify(buildDocument(), null, 2)}\n`;
if (!process.argv.includes('--check')) {
  writeFileSync(file, text);
} else if (readFileSync(file, 'utf8') !== text) {
  console.error('openapi.json is stale; run: npm run openapi');
  process.exitCode = 1;
}
