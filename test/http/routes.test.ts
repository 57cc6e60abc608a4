import { beforeAll, describe, expect, it } from 'vitest';

import { AppError } from '../../src/errors.ts';
import { messageOf, statusOf, toHttpError } from '../../src/http/errors.ts';
import { routes } from '../../src/http/routes.ts';
import { scopesOf } from '../../src/operation.ts';
import { operations } from '../../src/operations.ts';
import { type Scope, scopes } from '../../src/rights.ts';
import { validate } from '../../src/validation.ts';
import { appOfFile } from '../support/app.ts';
import { document } from '../support/document.ts';
import { aProject, scopesOf as createKey } from '../support/people.ts';

const server = appOfFile();
let projectId: string;
beforeAll(async () => void ({ projectId } = await aProject(server.store)));

const tokens = new Map<string, Promise<string>>();
/** The key of the project with these scopes. */
function tokenWith(having: readonly Scope[]): Promise<string> {
  const token = tokens.get(having.join()) ?? createKey(server.store, projectId, having).then((made) => made.token);
  tokens.set(having.join(), token);
  return token;
}

it('routes have methods and paths of their own', () => {
  expect(new Set(routes.map(({ method, path }) => `${method} ${path}`)).size).toBe(routes.length);
});

it('a fixed word hides no id: but for POST, no path has one where another has an id', () => {
  const shapeOf = (path: string) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`);
  const hidden = routes.flatMap((one) =>
    routes
      .filter(({ method, path }) => method === one.method && path !== one.path && shapeOf(one.path).test(path))
      .map(({ method, path }) => `${method} ${path}`),
  );
  expect(hidden.filter((one) => !one.startsWith('POST '))).toEqual([]);
});

it('the document has an operation for each route, and no other under /v2', () => {
  const documented = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId }]) => `${operationId} ${method} ${path}`),
  );
  const routed = routes.map(
    ({ method, path, operation }) => `${operation.name} ${method.toLowerCase()} ${path.replaceAll(/:(\w+)/g, '{$1}')}`,
  );
  expect(documented.filter((one) => one.includes(' /v2/')).toSorted()).toEqual(routed.toSorted());
});

/** What the document says of operations that need no scope. */
const needs: Record<string, string> = { 'any-key': 'Any key will do', invitation: 'Needs no key' };

describe.each(routes)('$method $path', ({ method, path, operation, status }) => {
  const { name, scope, input, output, errors = [] } = operation;
  const template = path.replaceAll(/:(\w+)/g, '{$1}');
  const documented = document.paths[template]?.[method.toLowerCase()];
  const parameters = [...path.matchAll(/:(\w+)/g)].map(([, one]) => one);

  it('runs an operation of the list, with a scope or open to any key, a description and, but to delete or to dismiss, an output', () => {
    expect(operations).toContain(operation);
    expect([...scopes, 'any-key', 'invitation']).toContain(scope);
    expect(operation.document).toBeDefined();
    expect(output === undefined).toBe(method === 'DELETE' || name === 'dismissDuplicates');
  });

  it('documents its scopes, its success and each of its errors', () => {
    expect(documented?.operationId).toBe(name);
    for (const one of scopesOf(operation)) {
      expect(JSON.stringify(documented)).toContain(needs[String(one)] ?? `scope \`${one}\``);
    }
    const wanted = String(scope) in needs ? [] : scopesOf(operation);
    expect(documented?.security).toEqual(scope === 'invitation' ? [] : [{ apiKey: wanted }]);
    expect('403' in (documented?.responses ?? {})).toBe(!(String(scope) in needs));
    expect(documented?.responses[status]).toBeDefined();
    for (const error of errors) {
      const { code } = toHttpError(new AppError(error, 'Something.'));
      expect(documented?.responses[statusOf(code)], error).toMatchObject({
        description: expect.stringContaining(messageOf(code)),
      });
    }
  });

  it('needs what its path names, and documents what it takes', () => {
    expect(input?.['required'] ?? []).toEqual(expect.arrayContaining(parameters));
    const hasBody = method === 'POST' || method === 'PATCH';
    const taken = hasBody ? parameters : Object.keys(input?.['properties'] ?? {});
    expect(documented?.parameters?.map((one) => one.name)).toEqual(expect.arrayContaining(taken));
  });

  it.skipIf(output === undefined)('shows an example of its output', async () => {
    await expect(Promise.resolve(validate(output ?? {}, operation.example))).resolves.toBeUndefined();
  });

  it('is 403 for a key with every scope but one of its own, and for no key with these, or any where it needs none', async () => {
    if (scope === 'invitation') return;
    const url = path.replaceAll(/:\w+/g, 'x');
    const ask = async (having: readonly Scope[]) =>
      server.ask({ method, url, headers: { authorization: `Bearer ${await tokenWith(having)}` } });
    const own = scopesOf(operation);
    for (const missing of String(scope) in needs ? [] : own) {
      const refused = await ask(scopes.filter((one) => one !== missing));
      expect([refused.status, refused.json.code]).toEqual([403, 'insufficient_scope']);
      const challenge = `Bearer realm="roster", error="insufficient_scope", scope="${missing}"`;
      expect(refused.headers['www-authenticate']).toBe(challenge);
    }
    const enough = String(scope) in needs ? scopes.map((one) => [one]) : [scopes.filter((one) => own.includes(one))];
    for (const having of enough) expect((await ask(having)).status).not.toBe(403);
  });
});
