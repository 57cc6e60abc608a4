import type { Installation } from '../installation.ts';
import type { Versioned } from './batches.ts';

/** One import after the other, each of the next version. */
export function keepImporting(at: Installation, what: Versioned) {
  const stopping = new AbortController();
  const wrong: string[] = [];
  let version = 0;
  let imports = 0;
  const loop = async () => {
    while (!stopping.signal.aborted && wrong.length === 0) {
      const { code, stderr } = await at.run(['contacts', 'import', '-', '--format', 'ndjson', ...ofShop], {
        input: what.rows(++version),
      });
      if (code !== 0) wrong.push(`the import of version ${version} ended with ${code}: ${stderr}`);
      imports++;
    }
  };
  const ended = loop();
  return {
    what,
    version: () => version,
    stop: async () => {
      stopping.abort();
      await ended;
      return { imports, wrong };
    },
  };
}

const ofShop = ['--chatbot', 'shop'];

/** How many batches of the newest version in an export are there; a sentence where it is no state between two batches. */
export function stateOf(what: Versioned, latest: number, exported: string): number | string {
  const versions = [...exported.matchAll(/ of (\d+)"/g)].map(([, version]) => Number(version));
  const version = versions.reduce((highest, one) => Math.max(highest, one), 0);
  if (version > latest) return `it holds version ${version}, and ${latest} was the last`;
  return version === 0 ? what.batches : what.batchesOf(version, exported);
}
