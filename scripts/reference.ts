import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';

import scalar from '@scalar/fastify-api-reference';
import Fastify from 'fastify';

/** Writes dist/reference: Scalar's script for the page at `/docs`, which its package holds as a plugin of Fastify. */
const folder = new URL('../dist/reference/', import.meta.url);
const app = Fastify();
await app.register(scalar, { routePrefix: '/docs', configuration: { url: './openapi.json' } });
const { statusCode, rawPayload } = await app.inject('/docs/js/scalar.js');
if (statusCode !== 200) throw new Error(`the plugin of Scalar answered ${statusCode} for its script`);
mkdirSync(folder, { recursive: true });
writeFileSync(new URL('scalar.js', folder), rawPayload);
copyFileSync(new URL('../LICENSE', import.meta.resolve('@scalar/fastify-api-reference')), new URL('LICENSE', folder));
