import type { Database } from '../../database/database.ts';
import { storeOn } from '../../database/open-store.ts';
import { emptySearchIndex, searchIndexState } from '../../database/search/status.ts';
import { note } from '../output.ts';
import { progress } from '../progress.ts';

const rowsOfStep = 500;

/** Indexes all contacts in steps: after an interruption it continues where it was. A service may run meanwhile. */
export async function indexContacts(database: Database): Promise<void> {
  const { isMissing, isOtherFolding } = await searchIndexState(database);
  if (isMissing || isOtherFolding) await emptySearchIndex(database);
  const { unindexed } = await searchIndexState(database);
  if (unindexed === 0) return;
  note(`Indexing ${unindexed} ${unindexed === 1 ? 'contact' : 'contacts'} for search.`);
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
