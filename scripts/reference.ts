import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

import scalar from '@scalar/fastify-api-reference';

import { llmsText } from './llms.ts';

/** Writes dist/reference, which `http/pages.ts` serves: the document without spaces, an outline of it, and the page at `/docs`. */
const folder = new URL('../dist/reference/', import.meta.url);
const document = readFileSync(new URL('../openapi.json', import.meta.url), 'utf8');

// At the best quality four megabytes would take ten seconds, for a tenth less.
const params = { [constants.BROTLI_PARAM_QUALITY]: 5 };

// Larger files come in their compressed forms alone, which `http/encoded.ts` knows.
const plainMax = 1_000_000;

async function write(name: string, content: string | Buffer): Promise<void> {
  if (content.length <= plainMax) writeFileSync(new URL(name, folder), content);
  writeFileSync(new URL(`${name}.br`, folder), await promisify(brotliCompress)(content, { params }));
  writeFileSync(new URL(`${name}.gz`, folder), await promisify(gzip)(content));
}

type Parameter = { in: string; required: boolean; example: unknown };

/** The document as Scalar reads it, which sends what has an example: here only what a request must have. */
function documentOfPage(): string {
  return JSON.stringify(JSON.parse(document, (_, value: unknown) => (isParameter(value) ? offered(value) : value)));
}

// Inline, or in the components.
function isParameter(value: unknown): value is Parameter {
  return typeof value === 'object' && value !== null && 'in' in value && 'schema' in value;
}

function offered({ example, ...parameter }: Parameter): object {
  if (parameter.required) return { ...parameter, example };
  return { ...parameter, examples: { example: { value: example, 'x-disabled': true } } };
}

/** Scalar's package holds its script as a plugin of Fastify: this is as much of a Fastify as it needs. */
function scriptOfPage(): string {
  let script = '';
  const reply = { header: () => reply, send: (content: string) => (script = content) };
  const route = ({ url, handler }: { url: string; handler: (request: object, reply: object) => void }) => {
    if (url === '/docs/js/scalar.js') handler({}, reply);
  };
  Reflect.apply(scalar, undefined, [
    { route },
    { routePrefix: '/docs', configuration: { url: './openapi.json' } },
    () => {},
  ]);
  if (script === '') throw new Error('the plugin of Scalar has no script');
  return script;
}

/** Scalar's script renders the page in the browser from the configuration in it. */
const configuration = {
  url: './docs/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  // `http/pages.ts` adds the key of a demonstration behind this.
  authentication: { preferredSecurityScheme: 'apiKey' },
};
const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Roster API</title>
    <link rel="icon" href="./favicon.ico">
  </head>
  <body>
    <script id="api-reference" type="application/json" data-configuration='${JSON.stringify(configuration)}'></script>
    <script src="./docs/js/scalar.js"></script>
  </body>
</html>
`;

// An open book.
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#2563eb" d="M8 4C6 2.5 3.5 2 1 2v10c2.5 0 5 .5 7 2 2-1.5 4.5-2 7-2V2c-2.5 0-5 .5-7 2z"/></svg>';

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
await write('openapi.json', JSON.stringify(JSON.parse(document)));
await write('page.json', documentOfPage());
await write('llms.txt', llmsText(document));
await write('page.html', page);
await write('scalar.js', scriptOfPage());
await write('icon.svg', icon);
writeFileSync(
  new URL('LICENSE', folder),
  readFileSync(new URL('../LICENSE', import.meta.resolve('@scalar/fastify-api-reference'))),
);
