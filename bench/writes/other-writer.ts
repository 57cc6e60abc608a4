/** Commits a hundred times a second to a project of its own: `node other-writer.ts DATABASE_URL PROJECT CHATBOT`. */
import { operator } from '../../src/actor.ts';
import { createContact } from '../../src/contacts/create.ts';
import { openDatabase, storeOn } from '../../src/database/open-store.ts';
import { run } from '../../src/operation.ts';

const [url = '', project = '', chatbotId = ''] = process.argv.slice(2);
const commitsPerSecond = 100;
const store = storeOn(await openDatabase(url));
let number = 0;
setInterval(() => {
  const properties = { name: 'Person', email: `other${number++}@example.com` };
  void run(createContact, store, operator(project), { chatbotId, properties });
}, 1_000 / commitsPerSecond);
console.log('listening at http://nowhere"');
