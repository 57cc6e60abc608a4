import type { Installation } from '../installation.ts';
import { type Api, codeOf } from '../parts/api.ts';
import type { ChatbotModel } from './chatbot-model.ts';
import { aSearch, bodyOf, foundAmong } from './search-model.ts';
import type { Random } from './slot.ts';

const searches = 40;

/** Once nothing is under way: searches over all chatbots of a project, and how many contacts it has. */
export async function objectionsToWhole(
  api: Api,
  project: string,
  chatbots: readonly ChatbotModel[],
  random: Random,
): Promise<string[]> {
  const failures: string[] = [];
  for (let number = 0; number < searches; number++) {
    const search = aSearch(chatbots, random);
    const include = search.include.length > 0 ? `?include=${search.include.join()}` : '';
    const body = bodyOf(search);
    const reply = await api.ask({ method: 'POST', path: `/v2/contacts/search${include}`, body });
    const right = JSON.stringify({ status: 'success', data: foundAmong(chatbots, search) });
    if (reply.body !== right) failures.push(`${project}, ${body} is answered with ${reply.body} instead of ${right}`);
  }
  const { used } = await api.data<{ used: number }>({ method: 'GET', path: '/v2/usage/contacts' });
  const live = liveIn(chatbots);
  if (used !== live) failures.push(`${project} counts ${used} contacts and has ${live}`);
  return failures;
}

/** With one place left it takes one contact more, and no other. */
export async function objectionsToLimit(
  at: Installation,
  api: Api,
  project: string,
  chatbots: readonly ChatbotModel[],
): Promise<string[]> {
  await at.json(['projects', 'update', project, '--contacts', String(liveIn(chatbots) + 1)]);
  const body = '{"properties":{"name":"One more"}}';
  const told: string[] = [];
  for (const { id } of chatbots.slice(0, 2)) {
    const reply = await api.ask({ method: 'POST', path: `/v2/chatbots/${id}/contacts`, body });
    told.push(reply.status < 300 ? String(reply.status) : `${reply.status} ${codeOf(reply)}`);
  }
  return told.join() === '201,409 contacts_exhausted' ? [] : [`a contact more in ${project}: ${told.join()}`];
}

const liveIn = (chatbots: readonly ChatbotModel[]) => chatbots.reduce((sum, { people }) => sum + people.live.size, 0);
