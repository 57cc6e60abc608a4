import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createApiKey } from '../api-keys/api-key.ts';
import { createChatbot } from '../chatbots/chatbot.ts';
import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';
import { buildApp } from '../http/app.ts';
import { createLog } from '../observability/log.ts';
import { createProject } from '../projects/project.ts';
import type { Store } from '../store.ts';
import { madeUpContacts, madeUpMembers } from './demo-people.ts';
import { listen, stopSignal } from './listen.ts';
import { openCurrentStore } from './open.ts';
import { isLively, note } from './output.ts';

const contactsPerChatbot = 150;

/** Serves made-up people from a temporary folder, which is deleted when the demo is disposed of. */
export async function openDemo(config: Config) {
  // First, so that a Ctrl-C during the start deletes the folder too.
  const stopped = stopSignal();
  await using undo = new AsyncDisposableStack();
  const folder = undo.adopt(mkdtempSync(join(tmpdir(), 'roster-demo-')), (path) =>
    rmSync(path, { recursive: true, force: true }),
  );
  const store = undo.use(await openCurrentStore(`sqlite:${join(folder, 'demo.db')}`));
  const people = await fill(store);
  const { app, address } = await start(store, config);
  undo.defer(() => app.close());
  const result = {
    address,
    docs: `${address}/docs`,
    ...people.ids,
    token: people.token,
    curl: curlLines(address, people),
  };
  const owned = undo.move();
  return { result, stopped, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

// A first trial should not fail because a port is in use.
async function start(store: Store, config: Config) {
  const { logger: log } = await createLog('warn', isLively(process.stdout));
  const attempt = async (port: number) => {
    const app = buildApp(store, config, { log });
    return { app, address: await listen(app, { host: config.host, port }) };
  };
  try {
    return await attempt(config.port);
  } catch (error) {
    if (config.portIsChosen || !(error instanceof AppError)) throw error;
    note(`Port ${config.port} is in use, so another one was taken.`);
    return attempt(0);
  }
}

async function fill(store: Store) {
  const project = await createProject(store, { name: 'Demo' });
  await store.importMembers(project.id, [], () => madeUpMembers());
  const chatbots = [
    await createChatbot(store, project.id, { name: 'Front desk' }),
    await createChatbot(store, project.id, { name: 'Night shift' }),
  ];
  let contactId = '';
  for (const [index, chatbot] of chatbots.entries()) {
    const contacts = madeUpContacts(contactsPerChatbot, index);
    contactId ||= contacts[0]?.id ?? '';
    await store.importContacts(project.id, chatbot.id, [], () => contacts);
  }
  const { token } = await createApiKey(store, project.id, { name: 'demo' });
  return { token, ids: { project_id: project.id, chatbot_id: chatbots[0]?.id ?? '', contact_id: contactId } };
}

function curlLines(address: string, { token, ids }: Awaited<ReturnType<typeof fill>>): string[] {
  return [`${address}/v2/members`, `${address}/v2/chatbots/${ids.chatbot_id}/contacts/${ids.contact_id}`].map(
    (url) => `curl -H 'Authorization: Bearer ${token}' ${url}`,
  );
}
