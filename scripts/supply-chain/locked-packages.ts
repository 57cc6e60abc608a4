import { readFileSync } from 'node:fs';

/** A package as a lock file (version 3) has it. */
export interface LockedPackage {
  name: string;
  version: string;
  license?: string;
  /** Needed for development or by the tests only. */
  dev?: boolean;
  integrity?: string;
  resolved?: string;
  link?: boolean;
  hasInstallScript?: boolean;
  engines?: { node?: string };
}

/** What is asked of package.json. */
export interface Manifest {
  name: string;
  engines?: { node?: string };
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  allowScripts?: Record<string, boolean>;
}

export interface Project {
  manifest: Manifest;
  packages: readonly LockedPackage[];
  /** Whether npm runs no install script at all there. */
  ignoresScripts: boolean;
}

/** The package of a folder, and all that its lock file installs. */
export function readProject(folder: URL): Project {
  const read = (file: string) => readFileSync(new URL(file, folder), 'utf8');
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, Omit<LockedPackage, 'name'> & { name?: string }>;
  };
  return {
    manifest: JSON.parse(read('package.json')) as Manifest,
    packages: Object.entries(packages).flatMap(([path, locked]) => {
      // A workspace is a folder of the project, and a link to it.
      if (isOfProject(locked.link === true ? (locked.resolved ?? '') : path, packages)) return [];
      // An alias has its own name beside its path, which wins.
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      return [Object.assign({ name }, locked)];
    }),
    ignoresScripts: /^ignore-scripts=true$/m.test(read('.npmrc')),
  };
}

function isOfProject(path: string, packages: object): boolean {
  return !path.includes('node_modules/') && path in packages;
}
