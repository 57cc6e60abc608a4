import { seededRandom } from '../../test/support/random.ts';
import type { Guarantee, Trial } from '../guarantee.ts';
import { type Caller, openCaller } from '../parts/caller.ts';
import { keepChanging } from '../tenancy/changes.ts';
import { expectedAnswers } from '../tenancy/expectations.ts';
import { objectionsToFeeds } from '../tenancy/feeds.ts';
import { openJudge } from '../tenancy/judge.ts';
import { findIds, joinByLink } from '../tenancy/links.ts';
import type { Project } from '../tenancy/model.ts';
import { objectionsToDirectory, putTogether } from '../tenancy/one-directory.ts';
import { operatorOf } from '../tenancy/operator.ts';
import { populate } from '../tenancy/populate.ts';
import { objectionsToSearches } from '../tenancy/project-searches.ts';
import { randomCredential, randomQuestion } from '../tenancy/questions.ts';
import { findCursors } from '../tenancy/searches.ts';
import { objectionsToSweeps } from '../tenancy/sweeps.ts';
import { objectionsToWebhooks, openWebhooks } from '../tenancy/webhooks.ts';

/**
 * Random triples of key, chatbot and contact, searches of chatbots and projects, look-ups, merged contacts, pages of members, and what may be tried on people, members and webhooks of others, while the
 * command line changes everything that they ask about, and people join by their links. Each answer is held, to the letter, against all that was right at some moment between question and answer.
 */
export const crossTenantRequests: Guarantee = {
  name: 'cross-tenant requests',
  promise: 'no leak, no wrong refusal',
  sizes: { smoke: 500, core: 5_000, full: 100_000 },
  engines: ['SQLite', 'PostgreSQL'],
  isHarmless: false,
  prove,
};

const connections = 4;
/** Questions on one connection that wait for their answers. */
const pipelined = 3;
const projectsOf = (size: number) => (size >= 50_000 ? 50 : size >= 5_000 ? 5 : 2);
const failuresShown = 50;

async function prove({ install, size, seed, tell }: Trial) {
  const random = seededRandom(seed);
  const at = await install();
  await at.run(['migrate']);
  const operator = operatorOf(at);
  const projects = await populate(operator, projectsOf(size), random);
  tell(`${projects.length} projects are there`);
  const { port } = await at.serve({ ROSTER_RATE_LIMIT: '0', ROSTER_WEBHOOK_ALLOW: '127.0.0.1' });
  for (const project of projects) {
    await findIds(port, project);
    await findCursors(port, project);
    await putTogether(at, port, project);
  }
  const hearers = await openWebhooks(port, projects);
  await using undo = new AsyncDisposableStack();
  for (const one of hearers) undo.use(one);
  const judge = openJudge(projects);
  const failures: string[] = [];
  const tally: Record<string, number> = {};
  let asked = 0;
  const isEnough = () => asked >= size || failures.length >= failuresShown;

  const askOne = async (caller: Caller) => {
    const number = ++asked;
    const credential = randomCredential(projects, random);
    const project = credential.owner?.project;
    const question = randomQuestion(projects, project, random);
    const { body } = question;
    const isHead = question.method === undefined && random.below(12) === 0;
    const isSomebodys = random.below(3) > 0 && judge.tags.length > 0;
    const ifNoneMatch = random.below(10) > 0 ? undefined : isSomebodys ? random.pick(judge.tags) : '*';
    const requestId = `n-${number}`;
    const head = [
      `${question.method ?? (isHead ? 'HEAD' : 'GET')} ${question.path} HTTP/1.1`,
      'Host: roster.test',
      ...(credential.line === undefined ? [] : [credential.line]),
      ...(ifNoneMatch === undefined ? [] : [`If-None-Match: ${ifNoneMatch}`]),
      `X-Request-Id: ${requestId}`,
      ...(body === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]),
    ];
    const reply = await caller.ask(head.map((line) => `${line}\r\n`).join(''), { isHead, body: body ?? '' });
    const { sentAt, receivedAt, status } = reply;
    tally[status] = (tally[status] ?? 0) + 1;
    const expected = expectedAnswers(credential, question, sentAt, receivedAt, requestId);
    const objection = judge.objection(reply, expected, {
      requestId,
      isHead,
      ifNoneMatch,
      project: project?.id ?? '',
    });
    if (objection === undefined) return;
    const right = expected.map((one) => `${one.status} ${one.body}`).join(' or ');
    failures.push(
      `request ${number}, ${head[0]} by ${whose(project, credential.owner?.key)}${ifNoneMatch === undefined ? '' : `, If-None-Match: ${ifNoneMatch}`}: ${status} ${reply.body} ${objection}: ${right}; headers ${JSON.stringify(reply.head)}`,
    );
  };
  const callers = await Promise.all(Array.from({ length: connections }, () => openCaller(port)));
  const changing = keepChanging(operator, projects, seed, joinByLink(port, projects));
  const goOn = async (caller: Caller) => {
    while (!isEnough()) await askOne(caller);
  };
  try {
    await Promise.all(callers.flatMap((caller) => Array.from({ length: pipelined }, () => goOn(caller))));
  } finally {
    for (const caller of callers) caller[Symbol.dispose]();
  }
  const { commands } = await changing.stop();
  failures.push(...(await objectionsToWebhooks(port, projects, hearers)));
  const feeds = await objectionsToFeeds(port, projects);
  failures.push(...feeds.failures);
  failures.push(...(await objectionsToDirectory(port, projects)));
  failures.push(...(await objectionsToSweeps(at, projects)), ...(await objectionsToSearches(port, projects)));
  if (feeds.joined === 0) failures.push('nobody joined by a link');
  // Every kind of answer was asked for, so that none of them is right by default.
  for (const status of [200, 304, 401, 403, 404, 410, 422]) {
    if ((tally[status] ?? 0) < size / 500) failures.push(`only ${tally[status] ?? 0} answers were ${status}`);
  }
  if (commands < projects.length / 2) failures.push(`only ${commands} commands changed anything meanwhile`);
  const counts = Object.entries(tally).map(([status, count]) => `${count} × ${status}`);
  return {
    tried: asked,
    measured: `${projects.length} projects, ${commands} commands meanwhile, ${feeds.joined} joined by link; ${hearers.reduce((sum, { heard }) => sum + heard.size, 0)} events heard by webhooks; ${counts.join(', ')}`,
    failures,
  };
}

function whose(project: Project | undefined, key: { kind: string; scopes: readonly string[] } | undefined): string {
  return project && key ? `a ${key.kind} key of ${project.id} (${key.scopes.join()})` : 'nobody';
}
