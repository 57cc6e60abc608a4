import { readFileSync } from 'node:fs';

import { missingIn, missingOfBundle, offences } from './supply-chain/bill-of-materials-checks.ts';
/**
 * Writes what is shipped with Roster, its run-time dependencies on all platforms, as a CycloneDX document to stdout:
 *
 *   npm run --silent sbom > roster.cdx.json
 *
 * It is made from package-lock.json alone, so the one of a release can be made at any time from its source, and none
 * is committed that could go stale. `--check` tells whether it is valid and complete.
 */
import { billOfMaterials } from './supply-chain/bill-of-materials.ts';
import { readProject } from './supply-chain/locked-packages.ts';

const bill = billOfMaterials();
if (process.argv.includes('--check')) {
  const licences = readFileSync(new URL('../dist/THIRD-PARTY-LICENSES', import.meta.url), 'utf8');
  const lacks = [...missingIn(bill, readProject(new URL('../', import.meta.url))), ...missingOfBundle(bill, licences)];
  const wrong = [...lacks, ...(await offences(bill))];
  for (const what of wrong) console.log(what);
  console.log(`${bill.components.length} components, ${wrong.length} objections`);
  if (wrong.length > 0) process.exitCode = 1;
} else {
  console.log(JSON.stringify(bill, undefined, 2));
}
