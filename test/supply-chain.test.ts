import { describe, expect, it } from 'vitest';

import { missingIn } from '../scripts/supply-chain/bill-of-materials-checks.ts';
import { billOfMaterials } from '../scripts/supply-chain/bill-of-materials.ts';
import { keysIn } from '../scripts/supply-chain/keys.ts';
import { type LockedPackage, type Project, readProject } from '../scripts/supply-chain/locked-packages.ts';
import { objectionsTo } from '../scripts/supply-chain/rules.ts';
import { generateToken } from '../src/api-keys/token.ts';

const good: LockedPackage = {
  name: 'made-up',
  version: '1.0.0',
  license: 'MIT',
  integrity: 'sha512-made-up',
  engines: { node: '>=20' },
};
const project: Project = {
  manifest: { name: 'roster', engines: { node: '>=24.15' }, dependencies: { 'made-up': '1.0.0' } },
  packages: [good],
  ignoresScripts: false,
};
const having = (change: Partial<LockedPackage>): Project => ({
  ...project,
  packages: [{ ...good, ...change }],
});
const asking = (manifest: Partial<Project['manifest']>): Project => ({
  ...project,
  manifest: { ...project.manifest, ...manifest },
});

describe('the check of dependencies', () => {
  it('has no objection to a good one', () => {
    expect(objectionsTo(project, '26.10.0')).toEqual([]);
  });

  it.each<[string, Project, RegExp]>([
    ['a licence that is not on the list', having({ license: 'SSPL-1.0' }), /SSPL-1\.0, which is not/],
    ['no licence', { ...project, packages: [{ name: 'x', version: '1.0.0', integrity: 'sha512-' }] }, /\(none\)/],
    ['a licence that may be used but not handed on', having({ license: 'MPL-2.0' }), /MPL-2\.0/],
    ['an install script', having({ hasInstallScript: true }), /runs a script/],
    ['no digest', having({ integrity: 'sha1-made-up' }), /SHA-512/],
    ['a host', having({ resolved: 'https://packages.example.com/x.tgz' }), /names a host/],
    ['a link', having({ link: true }), /link/],
    ['one that our Node cannot run', having({ engines: { node: '>=27' } }), /Node 26\.10\.0: >=27/],
    ['one that our oldest Node cannot run', having({ engines: { node: '>=26' } }), /Node/],
    ['a range of versions', asking({ dependencies: { 'made-up': '^1.0.0' } }), /"\^1\.0\.0"; name one/],
    ['a repository', asking({ devDependencies: { 'made-up': 'github:a/b' } }), /name one/],
    ['a tag', asking({ optionalDependencies: { 'made-up': 'latest' } }), /name one/],
    ['a script that is allowed to nobody', asking({ allowScripts: { gone: true } }), /gone, which runs none/],
  ])('objects to %s', (_what, bad, sentence) => {
    expect(objectionsTo(bad, '26.10.0')).toEqual([expect.stringMatching(sentence)]);
  });

  it('lets development use more, and run what is allowed by name', () => {
    expect(objectionsTo(having({ license: 'MPL-2.0', dev: true }), '26.10.0')).toEqual([]);
    const running = having({ hasInstallScript: true });
    const allowScripts = { 'made-up': true };
    expect(objectionsTo({ ...running, manifest: { ...running.manifest, allowScripts } }, '26.10.0')).toEqual([]);
  });
});

describe('the bill of materials', () => {
  const root = readProject(new URL('../', import.meta.url));

  it('lists all that is installed for running, with digests and licences, and nothing else', () => {
    const bill = billOfMaterials();
    expect(missingIn(bill, root)).toEqual([]);
    expect(bill.metadata.component.name).toBe('@roster/server');
    const names = bill.components.map(({ name }) => name);
    for (const name of Object.keys(root.manifest.dependencies ?? {})) expect(names).toContain(name);
    expect(names).toEqual(expect.arrayContaining(['preact', '@scalar/fastify-api-reference']));
    for (const name of ['vitest', 'express', 'fastify', 'typescript']) expect(names).not.toContain(name);
    // It says nothing of where it was made.
    expect(JSON.stringify(bill)).not.toMatch(/https?:\/\/(?!cyclonedx)|file:|"\//);
    expect(missingIn({ ...bill, components: bill.components.slice(1) }, root)).toHaveLength(1);
  });
});

describe('the scan for keys', () => {
  it('finds a key of ours by its checksum, repeats none, and passes over look-alikes and the example', () => {
    const token = generateToken();
    const lookAlike = token.slice(0, -1) + (token.endsWith('0') ? '1' : '0');
    expect(keysIn(`a ${token}, b "${lookAlike}" rst_zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17`)).toEqual([
      `rst_…${token.slice(-4)}`,
    ]);
  });
});
