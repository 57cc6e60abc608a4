import { openDatabase, storeOn } from '../../src/database/open-store.ts';
import { report } from './events.ts';

/** A process of its own that writes events, several at once: `node write-events.ts URL PROJECT COUNT`. */
const [url = '', projectId = '', count = '0'] = process.argv.slice(2);

await using store = storeOn(await openDatabase(url, { serving: true }));
const change = { type: 'contact.updated', contact_id: String(process.pid) } as const;
let left = Number(count);
const write = async () => {
  while (left-- > 0) await report(store, projectId, change, ...(left % 3 === 0 ? [change] : []));
};
await Promise.all(Array.from({ length: 4 }, write));
