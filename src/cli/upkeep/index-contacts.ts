import type { Database } from '../../database/database.ts';
import { storeOn } from '../../database/open-store.ts';
import { emptySearchIndex, searchIndexState } from '../../database/search/status.ts';
import type { Store } from '../../store.ts';
import { counted, note } from '../output.ts';
import { progress } from '../progress.ts';

const rowsOfStep = 500;
const mergeMsMax = 1_000;

/** Indexes all contacts in steps: after an interruption it continues where it was. A service may run meanwhile. */
export async function indexContacts(database: Database): Promise<void> {
  const { isMissing, isOtherFolding } = await searchIndexState(database);
  if (isMissing || isOtherFolding) await emptySearchIndex(database);
  const { unindexed } = await searchIndexState(database);
  if (unindexed === 0) return;
  note(`Indexing ${counted(unindexed, 'contact', 'contacts')} for search.`);
  const bar = progress(unindexed);
  try {
    const { upkeep } = storeOn(database);
    let done = 0;
    for (let projects = await upkeep.unindexedProjects(); projects.length > 0;) {
      const before = done;
      for (const projectId of projects) {
        for (let rows = rowsOfStep; rows === rowsOfStep; bar.update(done, done)) {
          rows = await upkeep.indexContacts(projectId, rowsOfStep);
          done += rows;
        }
      }
      // Leave chatbots that another process is indexing.
      projects = done === before ? [] : await upkeep.unindexedProjects();
    }
  } finally {
    bar.end();
  }
}

/** Merges the index for up to a second if it is due, which removes the words of purged contacts; a service does the rest. */
export async function mergeIndexBriefly({ upkeep }: Store): Promise<void> {
  const end = performance.now() + mergeMsMax;
  for await (const _ of upkeep.mergeIndex()) if (performance.now() > end) return;
}
