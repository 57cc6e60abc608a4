import { freePort } from '../../test/support/free-port.ts';
import { type PostgresServer, startPostgres } from '../../test/support/postgres.ts';
import { seededRandom } from '../../test/support/random.ts';
import { exchange } from '../../test/support/raw.ts';
import type { Guarantee, Trial } from '../guarantee.ts';
import { install, type Installation, type Served } from '../installation.ts';
import { openApi } from '../parts/api.ts';
import { atOnce } from '../parts/at-once.ts';
import { apiPositions } from '../planting/api-positions.ts';
import { conditions, imports, misuses, type Planted } from '../planting/commands.ts';
import { damage, importThatLosesItsStore } from '../planting/dying-stores.ts';
import { filesIn, type Place, titlesOf } from '../planting/places.ts';
import { everyEncoding, findIn, kindsOfPlant, marksOf, needlesOf, type Plant, plantsOf } from '../planting/plants.ts';
import { bytesOf, type Position, positions as readPositions } from '../planting/positions.ts';
import { inviteSome, putTogetherAndErase } from '../planting/stored.ts';
import { plantWebhooks } from '../planting/webhooks.ts';
import { readFeed } from '../writes/feed.ts';

/**
 * Made-up names, addresses, numbers and keys, the links of invited people, and secrets of webhooks, in every place of requests, in contacts that are
 * merged and erased, in files that are imported and in settings, at
 * the most talkative log levels, also while the store dies. Then all that the program has said, but for its good
 * answers and the files that were asked for, is searched for them, as they are and in other encodings.
 */
export const plantedSecrets: Guarantee = {
  name: 'planted secrets and personal data',
  sizes: { smoke: 0, core: 40, full: 1_000 },
  engines: ['SQLite', 'PostgreSQL'],
  prove,
};

const positions: Readonly<Record<string, Position>> = { ...readPositions, ...apiPositions };
const placesOfPlant = 5;
const previewOfPeople = /^the first people.*\n(?: {2}.*\n)*/m;
const atATime = 6;
const commandsAtOnce = 2;

async function prove({ engine, size, seed, tell }: Trial) {
  const random = seededRandom(seed);
  const marks = marksOf(random);
  const known = marksOf(random);
  const plants = plantsOf(marks, size);
  const failures: string[] = [];

  await using postgres = engine === 'PostgreSQL' ? await startPostgres() : undefined;
  await using at = await installOn(postgres);
  const token = await populate(at, plants);
  const metricsPort = await freePort();
  const services = await Promise.all([
    at.serve({
      LOG_LEVEL: 'trace',
      ROSTER_WEBHOOK_ALLOW: '127.0.0.1',
      ROSTER_METRICS_PORT: String(metricsPort),
      ROSTER_RATE_LIMIT: '0',
    }),
    at.serve({
      LOG_LEVEL: 'debug',
      ROSTER_WEBHOOK_ALLOW: '127.0.0.1',
      ROSTER_TRUST_PROXY: '127.0.0.0/8',
      ROSTER_CORS_ORIGINS: 'https://app.example.com',
      ROSTER_REDIS_URL: `redis://user:${plants[3]?.text ?? ''}@127.0.0.1:1`,
    }),
  ]);
  const good = { token, path: '/v2/chatbots/desk/contacts/contact-0' };
  const places: Place[] = [];
  const statuses: Record<string, number> = {};
  let asked = 0;
  const ask = async ({ port }: Served, name: string, { text }: Plant) => {
    const bytes = bytesOf(positions[name]?.(text, good) ?? []);
    asked++;
    for (const answer of await exchange(port, bytes, 1_000)) {
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
      // What a good answer tells was asked for, and a field is named by its path.
      const text = JSON.stringify({ ...answer, body: answer.body.replaceAll(/"field":"(?:[^"\\]|\\.)*"/g, '') });
      places.push({ name: `headers of the answer to ${name}`, text: JSON.stringify(answer.headers) });
      if (answer.status >= 300) places.push({ name: `answer to ${name}`, text });
    }
  };
  const names = Object.keys(positions);
  const links = await inviteSome(services[0].port, token, plants);
  await using webhooks = await plantWebhooks(services[0].port, token, plants);
  const needles = needlesOf([...Object.values(marks), ...links, ...webhooks.secrets]);
  await putTogetherAndErase(services[0].port, token, plants);
  const askAll = async (count: number) => {
    const questions = Array.from({ length: count }, (_, index) => index);
    await atOnce(atATime, questions, async (index) => {
      // Another step than that of the kinds, so that each service meets each kind.
      const service = services[Math.floor(index / kindsOfPlant) % services.length];
      const plant = plants[index % plants.length];
      if (service && plant) await ask(service, names[index % names.length] ?? '', plant);
    });
  };
  await askAll(Math.max(size * placesOfPlant, 2 * names.length));
  // Links are secrets, too, and each of these is one that works.
  await atOnce(atATime, names, async (name, index) => {
    const service = services[index % services.length];
    if (service) await ask(service, name, { kind: 'key', text: links[index % links.length] ?? '' });
  });
  await exchange(
    services[0].port,
    bytesOf(['GET /livez HTTP/1.1', 'Host: roster.test', `X-Request-Id: ${known.letters}`, 'Connection: close']),
  );
  const runAll = async (commands: readonly Planted[]) =>
    atOnce(commandsAtOnce, commands, async ({ args, input, env, code }) => {
      const ended = await at.run(args, { ...(input !== undefined && { input }), ...(env && { env }) });
      // A dry run shows three people, as it was asked to.
      const talk = args.includes('--dry-run') ? ended.stderr.replace(previewOfPeople, '') : ended.stderr;
      places.push({ name: args.slice(0, 2).join(' '), text: ended.stdout + talk });
      const isRight = code === -1 ? ended.code !== 0 && ended.code !== null : ended.code === code;
      if (!isRight) failures.push(`${args.join(' ')} ended with ${ended.code} instead of ${code}: ${ended.stderr}`);
    });
  // Few of them where time is short, and in all kinds.
  const every = size < 500 ? 7 : 1;
  const all = [...imports(at, plants), ...misuses(at, plants), ...conditions(at, plants)];
  const commands = all.filter((_, index) => index % every === 0);
  await runAll(commands);
  using api = await openApi(services[0].port, token, 1);
  const { events } = await readFeed(api);
  places.push({ name: 'events', text: JSON.stringify(events) });
  const ofWebhooks = await webhooks.told();
  places.push(...ofWebhooks.places);
  if (findIn(ofWebhooks.people, needles).length === 0) failures.push('no message shows a person, though it should');
  if (!ofWebhooks.places.some(({ text }) => text.includes('"redirect"')))
    failures.push('no receiver answered with plants');
  tell(`${asked} requests and ${commands.length} commands with them`);

  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  places.push(...services.flatMap(({ pid }) => titlesOf(pid)), ...filesIn(at.folder));
  const kill = async () => (postgres ? postgres.stop('SIGQUIT') : damage(at));
  const lost = await importThatLosesItsStore(at, plants, kill);
  failures.push(...lost.failures);
  places.push(...lost.places, { name: 'metrics', text: metrics });
  const failedOnes = () => (statuses[503] ?? 0) + (statuses[500] ?? 0);
  const failedBefore = failedOnes();
  await askAll(2 * names.length);
  const failed = failedOnes() - failedBefore;
  // Half of the places are refused before anything is looked up.
  if (failed < names.length / 2) failures.push(`the store died, and only ${failed} answers say so`);
  for (const service of services) {
    service.child.kill();
    const { code, stdout, stderr } = await service.ended;
    if (code !== 0) failures.push(`a service ended with ${code}`);
    places.push({ name: 'log', text: stdout }, { name: 'stderr', text: stderr });
  }
  places.push(...filesIn(at.folder));

  failures.push(...proofOfSearch(places, known));
  for (const { name, text } of places) failures.push(...findIn(text, needles).map((found) => `${name}: ${found}`));
  const searched = places.reduce((sum, { text }) => sum + text.length, 0);
  return {
    tried: size,
    measured: `${asked} requests, ${commands.length + 1} commands, ${Math.round(searched / 1024)} KiB searched`,
    failures: [...new Set(failures)],
  };
}

const typesOfPlants =
  'contact.created contact.merged contact.unmerged contacts.erased member.invited member.activated'.split(' ');

/** Like that of an invitation. */
const aLink = '0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT';

/** That what is there would be found: in all encodings, and in what the services really wrote. */
function proofOfSearch(places: readonly Place[], known: ReturnType<typeof marksOf>): string[] {
  const texts = [...Object.values(known), aLink];
  const needles = needlesOf(texts);
  const found = findIn(everyEncoding(texts), needles);
  const failures =
    found.length === needles.length ? [] : [`the search finds ${found.length} of ${needles.length} encodings`];
  for (const name of ['log', 'stderr']) {
    if (!places.some((place) => place.name === name)) failures.push(`there is no ${name} to search`);
  }
  if (!places.some(({ name, text }) => name === 'log' && findIn(text, needles).length > 0)) {
    failures.push('the search does not find a request id in the log, where it is by design');
  }
  for (const type of typesOfPlants) {
    const isTold = places.some(({ name, text }) => name === 'events' && text.includes(`"${type}"`));
    if (!isTold) failures.push(`the events do not tell of ${type}`);
  }
  if (!places.some(({ name, text }) => name === 'metrics' && text.includes('http_route="/v2/members"'))) {
    failures.push('the metrics do not tell of the requests');
  }
  return failures;
}

async function installOn(postgres: PostgresServer | undefined): Promise<Installation> {
  const at = await install(postgres ? 'PostgreSQL' : 'SQLite', { server: async () => postgres ?? startPostgres() });
  await at.json(['migrate']);
  return at;
}

/** Plants where they belong: as contacts and members. */
async function populate(at: Installation, plants: readonly Plant[]): Promise<string> {
  await at.json(['projects', 'create', 'Acme', '--id', 'acme']);
  await at.json(['chatbots', 'create', '--project', 'acme', '--name', 'Desk', '--id', 'desk']);
  const contacts = plants.map(({ text }, index) =>
    JSON.stringify({ id: `contact-${index}`, name: text, phone: text, company: text }),
  );
  const target = ['--project', 'acme', '--chatbot', 'desk'];
  await at.json(['contacts', 'import', '-', '--format', 'ndjson', ...target], { input: contacts.join('\n') });
  const emails = plants.filter(({ kind }) => kind === 'email').map(({ text }) => `${text},Viewer`);
  await at.json(['members', 'import', '-', '--project', 'acme', '--format', 'csv'], {
    input: ['email,role', ...emails].join('\n'),
  });
  const args = ['keys', 'create', '--project', 'acme', '--name', 'k', '--scope', 'all'];
  return (await at.json<{ token: string }>(args)).token;
}
