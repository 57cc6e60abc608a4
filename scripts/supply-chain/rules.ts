import semver from 'semver';

import type { LockedPackage, Manifest, Project } from './locked-packages.ts';

type Licences = Readonly<Record<string, string>>;

/** What may be handed on with Roster, each with the reason why. */
const shipped: Licences = {
  MIT: 'free for any use as long as its notice is kept',
  ISC: 'the same as MIT in fewer words',
  'BSD-2-Clause': 'the same, with the notice in the documentation',
  'BSD-3-Clause': 'the same, and no advertising with the names of the authors',
  '0BSD': 'the same without the notice',
  'BlueOak-1.0.0': 'the same in plain words, with a grant of patents',
  'Apache-2.0': 'the same, with a grant of patents; a NOTICE has to be handed on',
  '(MIT OR CC0-1.0)': 'MIT is chosen',
};

/** What only builds, tests or checks is not handed on, so these do no harm there. */
const used: Licences = {
  ...shipped,
  'MPL-2.0': 'asks for the source of its own files where they are handed on',
  'Artistic-2.0': 'free to use; asks for something of whoever changes it and hands it on',
  'CC0-1.0': 'in the public domain',
  'CC-BY-3.0': 'a list of names, which asks for its author to be named',
  'Python-2.0': 'as free as BSD; asks for a list of changes',
  Unlicense: 'in the public domain',
  WTFPL: 'as free as it can be said; a list of words',
  '(AFL-2.1 OR BSD-3-Clause)': 'BSD-3-Clause is chosen',
  '(BSD-3-Clause OR GPL-2.0)': 'BSD-3-Clause is chosen',
  'CC BY-SA 4.0': 'a list of words, which goes into nothing of ours',
};

/** Packages that say it in an old form, or not at all, by name and version, and where it was read. */
const readElsewhere: Licences = {
  'compute-gcd@1.2.1': 'MIT: "licenses" of its package.json, and its file LICENSE',
  'compute-lcm@1.1.2': 'MIT: the same',
  'httpntlm@1.8.13': 'MIT: the same',
  'stack-trace@0.0.9': 'MIT: the words of its file License',
  'validate.io-function@1.0.2': 'MIT: "licenses" of its package.json, and its file LICENSE',
  'validate.io-integer@1.0.5': 'MIT: the same',
  'validate.io-integer-array@1.0.0': 'MIT: the same',
  'validate.io-number@1.0.3': 'MIT: the same',
};

/** Everything about what is installed that a reviewer would object to, a sentence each. */
export function objectionsTo(project: Project, node: string): string[] {
  return [
    ...inexactVersions(project.manifest),
    ...staleAllowances(project),
    ...project.packages.flatMap((locked) => ofPackage(locked, project, node)),
  ];
}

function ofPackage(locked: LockedPackage, project: Project, node: string): string[] {
  const { name, version, integrity, resolved, link, hasInstallScript = false } = locked;
  const mayRun = project.ignoresScripts || project.manifest.allowScripts?.[name] === true;
  const rules: [boolean, string][] = [
    [!isLicensed(locked), `has the licence ${locked.license ?? '(none)'}, which is not on the list`],
    [integrity?.startsWith('sha512-') !== true, 'has no SHA-512 in the lock file'],
    [resolved !== undefined, 'names a host in the lock file; leave it to whoever installs'],
    [link === true, 'is a link, so its content is not locked'],
    [hasInstallScript && !mayRun, 'runs a script when it is installed, which allowScripts does not allow'],
    [!runsOn(locked, project.manifest, node), `does not run on Node ${node}: ${locked.engines?.node ?? ''}`],
  ];
  return rules.filter(([isWrong]) => isWrong).map(([, what]) => `${name}@${version} ${what}`);
}

function isLicensed({ name, version, license, dev = false }: LockedPackage): boolean {
  if (license === undefined) return Object.hasOwn(readElsewhere, `${name}@${version}`);
  return Object.hasOwn(dev ? used : shipped, license);
}

/** What is shipped has to run on every Node that ours does; what builds, on the one that is pinned. */
function runsOn({ engines, dev = false }: LockedPackage, manifest: Manifest, node: string): boolean {
  const range = engines?.node;
  if (range === undefined) return true;
  return semver.satisfies(node, range) && (dev || semver.subset(manifest.engines?.node ?? node, range));
}

function inexactVersions({ dependencies, devDependencies, optionalDependencies }: Manifest): string[] {
  return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
    .filter(([, version]) => semver.valid(version) !== version)
    .map(([name, version]) => `${name} is asked for as "${version}"; name one version`);
}

function staleAllowances({ manifest, packages }: Project): string[] {
  const running = new Set(packages.filter((one) => one.hasInstallScript).map(({ name }) => name));
  return Object.keys(manifest.allowScripts ?? {})
    .filter((name) => !running.has(name))
    .map((name) => `allowScripts names ${name}, which runs none`);
}
