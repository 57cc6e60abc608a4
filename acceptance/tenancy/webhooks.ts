import { openApi } from '../parts/api.ts';
import { type Hearer, missingFrom, objectionsTo, openHearer, until } from '../webhooks/hearer.ts';
import { readFeed } from '../writes/feed.ts';
import { nobody, type Question } from './expectations.ts';
import { firstKeyOf } from './links.ts';
import type { Project } from './model.ts';
import type { Random } from './questions.ts';

const given = { events: ['contact.*', 'member.*', 'chatbot.*'], payload: 'full' } as const;
const heardWithinMs = 60_000;

/** A webhook of each project, with people in its messages. */
export async function openWebhooks(port: number, projects: readonly Project[]): Promise<Hearer[]> {
  return Promise.all(
    projects.map(async (project) => {
      using api = await openApi(port, firstKeyOf(project), 1);
      const hearer = await openHearer(api, given);
      project.webhookIds.push(hearer.id);
      return hearer;
    }),
  );
}

const read = { scope: 'webhooks:read' } as const;
const write = { scope: 'webhooks:write', method: 'POST' } as const;

/** What may be tried on a webhook of another project: to them there is none. */
export function aboutForeignWebhook(id: string, random: Random): Question {
  const path = `/v2/webhooks/${id}`;
  return random.pick<Question>([
    { ...read, path, answers: nobody },
    { ...read, path: `${path}/deliveries`, answers: nobody },
    { ...write, method: 'PATCH', path, body: '{"state":"disabled"}', answers: nobody },
    { ...write, method: 'DELETE', path, answers: nobody },
    { ...write, path: `${path}/test`, answers: nobody },
    { ...write, path: `${path}/rotate`, body: '{"overlap":"0s"}', answers: nobody },
    { ...write, path: `${path}/replay`, body: '{"after":"*"}', answers: nobody },
  ]);
}

/** Each receiver has heard what its project's feed tells since the webhook is there, and of nobody else. */
export async function objectionsToWebhooks(port: number, projects: readonly Project[], hearers: readonly Hearer[]) {
  const failures: string[] = [];
  for (const [index, project] of projects.entries()) {
    const hearer = hearers[index];
    if (!hearer) continue;
    using api = await openApi(port, firstKeyOf(project), 1);
    const { events } = await readFeed(api);
    const told = events.slice(events.findIndex(({ type }) => type === 'webhook.created'));
    await until(heardWithinMs, () => missingFrom(hearer, told) === 0);
    failures.push(...objectionsTo(hearer, told));
    const foreign = projects.filter((one) => one !== project).map(({ id }) => new RegExp(`\\b${id}\\b`));
    const odd = hearer.receiver.received.find(({ body }) => foreign.some((id) => id.test(body)));
    if (odd) failures.push(`the webhook of ${project.id} hears ${odd.body}`);
  }
  return failures;
}
