import { readFileSync } from 'node:fs';

import type { ErrorCode } from '../src/errors.ts';
import type { HttpErrorCode } from '../src/http/errors.ts';
import { inQuery } from '../src/http/input.ts';
import { type Route, routes } from '../src/http/routes.ts';
import { scopesOf } from '../src/operation.ts';
import type { RequiredScope } from '../src/rights.ts';
import type { JsonSchema } from '../src/values/object-schema.ts';
import { type Document, shareComponents } from './openapi-components.ts';
import { healthPaths } from './openapi-health.ts';
import { headersOf } from './openapi-request-headers.ts';
import { always, errorResponses, failureSchema, headers } from './openapi-responses.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const description = `Roster keeps who works on a project (its members) and whom its chatbots have met (their contacts).

Every answer is a JSON object with \`status\`: \`success\` with \`data\`, or \`error\` with a \`message\` for a person,
a \`code\` for a program and the \`request_id\` to quote. HEAD is answered wherever GET is; any other method is 405.

\`/v2\` is frozen: it gets additions only, so ignore keys that you do not know. A key may ask 300 times a minute
and all keys of a project together 1,200 times, unless the operator chose otherwise; the path has at most 2 KiB (414), all headers together 16 KiB (431).`;

/** The OpenAPI document of the routes. */
export function buildDocument(): object {
  const paths: Record<string, Record<string, object>> = { ...healthPaths() };
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    (paths[path] ??= {})[route.method.toLowerCase()] = operationOf(route);
  }
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Roster',
      version,
      description,
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'The operator of this installation' },
    },
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API key of the project, from "roster keys create". Each operation names the scope that it needs.',
        },
      },
      schemas: { Failure: failureSchema([...always, ...routes.flatMap(codesOf)]) },
    },
    paths,
    servers: [{ url: '/', description: 'The installation that serves this document.' }],
    tags: [
      { name: 'API keys', description: 'The key of a request.' },
      { name: 'Project', description: 'The project of the key.' },
      { name: 'Members', description: 'The people who work on the project.' },
      { name: 'Chatbots', description: 'The chatbots of the project.' },
      { name: 'Contacts', description: 'The people whom a chatbot has met.' },
      { name: 'Events', description: 'The changes in the project, in order.' },
      { name: 'Webhooks', description: 'Events, posted to other services.' },
      { name: 'Health', description: 'Whether the service answers.' },
    ],
  };
  return shareComponents(JSON.parse(JSON.stringify(document)) as Document);
}

const codeOf: Partial<Record<ErrorCode, HttpErrorCode>> = {
  invalid: 'validation_failed',
  input_output: 'internal',
  settings: 'internal',
};

/** What the operation of a route may fail with. */
function codesOf({ operation, method }: Route): HttpErrorCode[] {
  const { scope, errors = [] } = operation;
  const hasBody = method === 'POST' || method === 'PATCH';
  return [
    ...errors.map((code) => codeOf[code] ?? (code as HttpErrorCode)),
    ...(operation.kind === 'write' ? (['outcome_unknown'] as const) : []),
    ...('repeat' in operation ? (['idempotency_key_reused', 'idempotency_in_progress'] as const) : []),
    ...(hasBody ? (['payload_too_large', 'unsupported_media_type', 'validation_failed'] as const) : []),
    ...(scope === 'invitation' ? [] : (['unauthenticated'] as const)),
    ...(scope === 'any-key' || scope === 'invitation' ? [] : (['insufficient_scope'] as const)),
    'rate_limited',
    ...always,
  ];
}

function operationOf(route: Route): object {
  const { operation, method } = route;
  const { name, scope, document } = operation;
  const scopes = scopesOf(operation);
  if (!document) throw new Error(`${name} has a route and no description`);
  const hasBody = method === 'POST' || method === 'PATCH';
  const isOpen = scope === 'invitation';
  return {
    operationId: name,
    summary: document.summary,
    tags: [document.tag],
    description: `${document.description} ${needsOf(scopes)}`,
    parameters: parametersOf(route),
    ...(hasBody && { requestBody: requestBodyOf(route) }),
    security: isOpen ? [] : [{ apiKey: scope === 'any-key' ? [] : scopes }],
    responses: { ...successOf(route), ...errorResponses(codesOf(route), !isOpen) },
  };
}

function needsOf(scopes: readonly RequiredScope[]): string {
  if (scopes.includes('any-key')) return 'Any key will do, whatever its scopes.';
  if (scopes.includes('invitation')) return 'Needs no key.';
  return `Needs a key with ${scopes.map((scope) => `the scope \`${scope}\``).join(' and ')}.`;
}

type Properties = Record<string, JsonSchema>;

function propertiesOf({ operation }: Route): Properties {
  return (operation.input?.['properties'] ?? {}) as Properties;
}

function parametersOf(route: Route): object[] {
  const isInPath = (name: string) => route.path.includes(`:${name}`);
  const hasQuery = route.method === 'GET' || route.method === 'DELETE';
  const found = Object.entries(propertiesOf(route)).filter(([name]) => isInPath(name) || hasQuery || inQuery.has(name));
  const parameters = found.map(([name, { description: says, examples, ...schema }]) => {
    const [example] = (examples ?? []) as unknown[];
    if (example === undefined) throw new Error(`${name} in ${route.path} has no example`);
    return {
      schema,
      explode: schema['type'] === 'array' ? false : undefined,
      in: isInPath(name) ? 'path' : 'query',
      name,
      required: isInPath(name),
      description: says,
      example,
    };
  });
  return [...parameters, ...headersOf(route)];
}

function requestBodyOf(route: Route): object {
  const properties = Object.fromEntries(
    Object.entries(propertiesOf(route)).filter(([name]) => !route.path.includes(`:${name}`) && !inQuery.has(name)),
  );
  const required = ((route.operation.input?.['required'] ?? []) as string[]).filter((name) => name in properties);
  const example = Object.fromEntries(
    Object.entries(properties).map(([name, { examples }]) => [name, (examples as unknown[] | undefined)?.[0]]),
  );
  return {
    required: required.length > 0,
    content: { 'application/json': { schema: { type: 'object', required, properties }, example } },
  };
}

function successOf(route: Route): Record<string, object> {
  const { operation, method, status, creates, isCreated } = route;
  const { output, dryOutput, example, document } = operation;
  const says = document?.answer ?? 'Done.';
  const mayBeGone = operation.kind === 'write' && operation.repeat?.mayBeGone === true;
  const others = [
    ...(dryOutput && output ? [[dryOutput, 'The second with `dry_run=true`.'] as const] : []),
    ...(mayBeGone ? [[{ type: 'null' }, 'Null in a repeat, where it is gone.'] as const] : []),
  ];
  const either = [output, ...others.map(([other]) => other)];
  const data =
    others.length > 0
      ? { anyOf: either, description: others.map(([, text]) => text).join(' ') }
      : (output ?? dryOutput);
  const schema = {
    type: 'object',
    required: output ? ['status', 'data'] : ['status'],
    properties: { status: { type: 'string', enum: ['success'] }, ...(data && { data }) },
    description: says,
  };
  const given = { status: 'success', ...(output && { data: example }) };
  const answered = headers(
    `standing${operation.scope === 'invitation' ? '' : ' limit'}${isTagged(route) ? ' etag' : ''}${creates === undefined ? '' : ' created'}`,
  );
  const success = {
    description: says,
    headers: answered,
    content: { 'application/json': { schema, example: given } },
  };
  return {
    ...(isCreated && { 200: success }),
    [status]: success,
    ...(method === 'GET' && {
      304: {
        description: 'The answer has not changed since the one whose ETag is in If-None-Match.',
        headers: answered,
      },
    }),
  };
}

/** Whether an answer has an ETag: of what is read, and of the one thing that is written. */
function isTagged({ method, operation, creates }: Route): boolean {
  if (operation.kind === 'read') return method === 'GET';
  return operation.output !== undefined && (operation.current !== undefined || creates !== undefined);
}
