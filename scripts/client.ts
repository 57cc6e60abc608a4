import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import type { OpenApiDocument } from './client/operations-of.ts';
import { clientSources } from './client/sources.ts';
import { withoutReferences } from './openapi-components.ts';

/** Writes what the TypeScript client has from openapi.json; with --check only says whether it is current. */
const root = new URL('../', import.meta.url);
const folder = new URL('clients/typescript/src/generated/', root);
const oxfmt = fileURLToPath(new URL('node_modules/.bin/oxfmt', root));
const document = withoutReferences(JSON.parse(readFileSync(new URL('openapi.json', root), 'utf8')) as OpenApiDocument);

for (const [name, source] of Object.entries(clientSources(document))) {
  const file = new URL(name, folder);
  const args = ['--stdin-filepath', fileURLToPath(file)];
  const text = execFileSync(oxfmt, args, { cwd: fileURLToPath(root), input: source, encoding: 'utf8' });
  if (!process.argv.includes('--check')) {
    writeFileSync(file, text);
  } else if (readFileSync(file, 'utf8') !== text) {
    console.error(`${fileURLToPath(file)} is stale; run: npm run openapi`);
    process.exitCode = 1;
  }
}
