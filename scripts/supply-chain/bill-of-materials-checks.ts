import { readFileSync } from 'node:fs';

import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';

import { type BillOfMaterials, builtIn } from './bill-of-materials.ts';
import type { Project } from './locked-packages.ts';

const schemas = new URL('../../tooling/node_modules/@cyclonedx/cyclonedx-library/res/schema/', import.meta.url);

/** What the schema of CycloneDX 1.5 objects to. */
export function offences(bill: BillOfMaterials): string[] {
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  // The two formats that it knows and ajv-formats does not: of texts in other languages.
  ajv.addFormat('iri-reference', true).addFormat('idn-email', true);
  // By the names under which the document's own asks for them.
  for (const file of ['spdx.SNAPSHOT.schema.json', 'jsf-0.82.SNAPSHOT.schema.json'])
    ajv.addSchema({ ...readSchema(file), $id: `http://cyclonedx.org/schema/${file}` });
  const isValid = ajv.compile(readSchema('bom-1.5.SNAPSHOT.schema.json'));
  if (isValid(bill)) return [];
  return (isValid.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

function readSchema(file: string): object {
  return JSON.parse(readFileSync(new URL(file, schemas), 'utf8')) as object;
}

/** Packages whose code is in `dist/`, by its list of licences, and that the bill does not name. */
export function missingOfBundle({ components }: BillOfMaterials, licences: string): string[] {
  const listed = new Set(components.map((one) => one['bom-ref']));
  const bundled = [...licences.matchAll(/^(\S+@\d\S*) \(.*\)$/gm)].flatMap(([, name = '']) => name);
  return bundled.filter((one) => !listed.has(one)).map((one) => `${one} is in dist/ and missing`);
}

/** What is installed without `--omit=dev` and not in the bill, the other way round, and what is told of too little. */
export function missingIn({ components, dependencies }: BillOfMaterials, { packages }: Project): string[] {
  const locked = new Set(
    packages
      .filter(({ name, dev }) => dev !== true || builtIn.includes(name))
      .map((one) => `${one.name}@${one.version}`),
  );
  const listed = new Set(components.map((one) => one['bom-ref']));
  const told = new Set(dependencies.map(({ ref }) => ref));
  return [
    ...[...locked].filter((one) => !listed.has(one)).map((one) => `${one} is missing`),
    ...[...listed].filter((one) => !locked.has(one)).map((one) => `${one} is not in the lock file`),
    ...[...listed].filter((one) => !told.has(one)).map((one) => `what ${one} depends on is missing`),
    ...components
      .filter(({ hashes = [], licenses = [] }) => hashes.length === 0 || licenses.length === 0)
      .map((one) => `${one['bom-ref']} lacks a digest or a licence`),
  ];
}
