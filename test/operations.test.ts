import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { operator } from '../src/actor.ts';
import { read, run } from '../src/operation.ts';
import { operations } from '../src/operations.ts';
import type { RequiredScope } from '../src/rights.ts';
import type { Store } from '../src/store.ts';

const root = fileURLToPath(new URL('../src', import.meta.url));
const sources = globSync('**/*.ts', { cwd: root }).map(
  (file) => [file, readFileSync(`${root}/${file}`, 'utf8')] as const,
);

describe('the list of operations', () => {
  it('has every operation that is declared, once', () => {
    const declared = sources.flatMap(([, source]) =>
      [...source.matchAll(/^export const (\w+) = (?:read|write|usageOf)\(\{\s+name: '(\w+)'/gm)].map(
        ([, constant, name]) => {
          expect(constant).toBe(name);
          return name;
        },
      ),
    );
    expect(new Set(operations.map(({ name }) => name))).toEqual(new Set(declared));
    expect(operations.length).toBe(declared.length);
    expect(new Set(declared).size).toBe(declared.length);
    expect(declared.length).toBeGreaterThan(10);
  });
});

describe('a write of contacts', () => {
  it('waits in the queue of its chatbot or locks all that it names', () => {
    const writes = sources.filter(
      ([file, source]) => /^contacts\/[\w-]+\.ts$/.test(file) && source.includes('= write({'),
    );
    const others = writes.filter(([, source]) => !/queue: 'chatbots?'/.test(source)).map(([file]) => file);
    expect(others).toEqual(['contacts/record-export.ts']);
    expect(writes.length).toBeGreaterThan(5);
  });
});

describe('run', () => {
  it('is the only caller of a unit of work', () => {
    const having = (pattern: RegExp) => sources.filter(([, source]) => pattern.test(source)).map(([file]) => file);
    expect(having(/\bstore\.write\(/)).toEqual(['run-write.ts']);
    expect(having(/from '.*\/run-write\.ts'/)).toEqual(['operation.ts']);
  });

  it('refuses an actor without the scope, and a key where there is none', async () => {
    const operation = (scope: RequiredScope) => read({ name: 'test', scope, run: async () => 'done' });
    const key = { ...operator('acme'), type: 'key', scopes: ['contacts:read'] } as const;
    const store = {} as Store;
    for (const scope of ['members:read', null] as const) {
      await expect(run(operation(scope), store, key, undefined)).rejects.toMatchObject({
        code: 'insufficient_scope',
      });
    }
    const allowed = await run(operation('members:read'), store, { ...key, scopes: ['members:read'] }, undefined);
    expect(allowed).toEqual({ output: 'done', replayed: false });
    expect((await run(operation(null), store, operator('acme'), undefined)).output).toBe('done');
  });

  it('lets every key run what asks for no scope', async () => {
    const operation = read({ name: 'test', scope: 'any-key', run: async () => 'done' });
    const key = { ...operator('acme'), type: 'key', scopes: [] } as const;
    expect((await run(operation, {} as Store, key, undefined)).output).toBe('done');
  });
});
