import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { operator } from '../../actor.ts';
import { createApiKey } from '../../api-keys/create.ts';
import { holdProgram } from '../../assets.ts';
import { exampleChatbotId } from '../../chatbots/chatbot.ts';
import { takeOverChatbot } from '../../chatbots/create.ts';
import type { Config } from '../../config/settings.ts';
import { exampleContact } from '../../contacts/contact.ts';
import { importContacts } from '../../contacts/import.ts';
import { AppError } from '../../errors.ts';
import { type App, type AppOptions, buildApp } from '../../http/app.ts';
import { mirrored } from '../../imports.ts';
import { startJobs } from '../../jobs/runner.ts';
import { startSender } from '../../jobs/sender.ts';
import { importMembers } from '../../members/import.ts';
import { createLog } from '../../observability/log.ts';
import { run } from '../../operation.ts';
import { createProject } from '../../projects/create.ts';
import { scopes } from '../../rights.ts';
import { createSignInLink } from '../../sign-in/link.ts';
import type { Store } from '../../store.ts';
import { newChatbotId, newId } from '../../values/identifier.ts';
import { programVersion } from '../../version.ts';
import { warnIfHereOnly } from '../links.ts';
import { listen } from '../listen.ts';
import { openCurrentStore } from '../open.ts';
import { outgoingOf } from '../outgoing.ts';
import { isLively, note } from '../output.ts';
import { mcp } from '../server.ts';
import { ownerOf } from '../setup-link.ts';
import { stopSignal } from '../signals.ts';
import { madeUpContacts, madeUpMembers } from './demo-people.ts';

const contactsPerChatbot = 150;

export async function openDemo(config: Config) {
  holdProgram();
  // First, so that Ctrl-C during the start deletes the folder too.
  const stopped = stopSignal();
  await using undo = new AsyncDisposableStack();
  const folder = undo.adopt(mkdtempSync(join(tmpdir(), 'roster-demo-')), (path) =>
    rmSync(path, { recursive: true, force: true }),
  );
  const store = undo.use(await openCurrentStore(`sqlite:${join(folder, 'demo.db')}`));
  const { token, ids } = await fill(store);
  const outgoing = outgoingOf(config);
  const { app, address, warning, log } = await start(store, config, { demoToken: token, outgoing });
  undo.use(startJobs(store, config, { log, firstLookMs: 0 }));
  undo.use(startSender(store, outgoing, { log }));
  undo.defer(() => app.close());
  const curl = curlLines(address, token, ids);
  const link = await ownersLink(store, ids, app);
  if (warning !== undefined) {
    note(`${warning}.`);
    warnIfHereOnly(link);
  }
  const result = { address, docs: `${address}/docs`, console: link, ...ids, token, curl };
  const owned = undo.move();
  return { result, stopped, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function ownersLink(store: Store, ids: { project_id: string }, app: App): Promise<string> {
  const owner = await ownerOf(store, ids.project_id);
  if (!owner) throw new Error('the demo has no Owner');
  const options = { publicUrl: app.publicUrl() };
  return (await run(createSignInLink, store, operator(ids.project_id), { memberId: owner.id }, options)).output.url;
}

function curlLines(address: string, token: string, { chatbot_id, contact_id }: Record<string, string>): string[] {
  const call = `curl -H 'Authorization: Bearer ${token}'`;
  const contacts = `${address}/v2/chatbots/${chatbot_id}/contacts`;
  const post = (url: string, body: object) =>
    `${call} -H 'Content-Type: application/json' -d '${JSON.stringify(body)}' ${url}`;
  const { email } = exampleContact;
  return [
    `${call} ${address}/v2/members`,
    `${call} ${contacts}/${contact_id}`,
    post(contacts, { properties: { first_name: 'Bo', email: 'bo@example.com' } }),
    post(`${contacts}/upsert`, { match: { email }, properties: { company: 'Acme' } }),
  ];
}

async function start(store: Store, config: Config, given: Pick<AppOptions, 'demoToken' | 'outgoing'>) {
  const { logger: log } = await createLog('warn', isLively(process.stdout));
  const attempt = async (port: number) => {
    const app = buildApp(store, config, { log, mcp, programVersion, ...given });
    return { app, log, ...(await listen(app.server, { host: config.host, port })) };
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
  const actor = operator(newId());
  const project = await run(createProject, store, actor, { name: 'Demo' });
  await run(importMembers, store, actor, mirrored(madeUpMembers()));
  const met = [{ texts: exampleContact }, ...madeUpContacts(contactsPerChatbot, 0)];
  // The console opens on the newest, so the one of the printed calls comes last.
  const desks = [
    { name: 'Night shift', id: newChatbotId(), contacts: madeUpContacts(contactsPerChatbot, 1) },
    { name: 'Front desk', id: exampleChatbotId, contacts: met },
  ];
  for (const { name, id, contacts } of desks) {
    const { output: chatbot } = await run(takeOverChatbot, store, actor, { name, id });
    await run(importContacts, store, actor, { ...mirrored(contacts), chatbotId: chatbot.id });
  }
  const { output } = await run(createApiKey, store, actor, { name: 'demo', scopes });
  const ids = { project_id: project.output.id, chatbot_id: exampleChatbotId, contact_id: exampleContact.id };
  return { token: output.token, ids };
}
