import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Package {
  name: string;
  version: string;
  license?: string;
}

/** The licences and notices of the packages to which the files belong. */
export function licencesOf(files: readonly string[]): string {
  const folders = new Set(files.filter((file) => /^\/.*\/node_modules\//.test(file)).map(folderOf));
  const texts = [...folders].map((folder) => {
    const { name, version, license = '' } = readPackage(folder);
    const notices = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
    if (license === '') throw new Error(`${name}@${version} names no licence`);
    const text = notices.map((file) => `\n${readFileSync(join(folder, file), 'utf8').trim()}\n`);
    return `${name}@${version} (${license})\n${text.join('')}`;
  });
  return [...new Set(texts)].toSorted().join(`\n${'-'.repeat(80)}\n\n`);
}

/** The folder of the file's package. An inner folder may have a package.json without a version. */
function folderOf(file: string): string {
  const folder = dirname(file);
  return existsSync(join(folder, 'package.json')) && readPackage(folder).version ? folder : folderOf(folder);
}

function readPackage(folder: string): Package {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Package;
}
