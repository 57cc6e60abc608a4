import { readFileSync } from 'node:fs';

import type { OpenApiDocument } from './client/operations-of.ts';
import { clientSources } from './client/sources.ts';
import { withoutReferences } from './openapi-components.ts';
import { writeGenerated } from './support/generated.ts';

/** What the TypeScript client has from openapi.json. */
const openapi = readFileSync(new URL('../openapi.json', import.meta.url), 'utf8');
const document = withoutReferences(JSON.parse(openapi) as OpenApiDocument);

for (const [name, source] of Object.entries(clientSources(document)))
  writeGenerated(`clients/typescript/src/generated/${name}`, source, 'npm run openapi');
