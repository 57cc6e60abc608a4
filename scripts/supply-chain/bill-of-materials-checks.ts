import { createRequire } from 'node:module';

import { type BillOfMaterials, builtIn } from './bill-of-materials.ts';
import type { Project } from './locked-packages.ts';

/** As much of the library of CycloneDX, a package of tooling/, as is used here. */
interface Library {
  Spec: { Version: { v1dot5: string } };
  Validation: { JsonValidator: new (version: string) => { validate: (text: string) => Promise<object[] | null> } };
}

/** What the schema of CycloneDX 1.5 objects to. */
export async function offences(bill: BillOfMaterials): Promise<string[]> {
  const tooling = createRequire(new URL('../../tooling/package.json', import.meta.url));
  const { Spec, Validation } = tooling('@cyclonedx/cyclonedx-library') as Library;
  const wrong = await new Validation.JsonValidator(Spec.Version.v1dot5).validate(JSON.stringify(bill));
  return (wrong ?? []).map((one) => JSON.stringify(one));
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
