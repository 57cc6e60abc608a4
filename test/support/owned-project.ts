import { type Actor, operator } from '../../src/actor.ts';
import { createApiKey } from '../../src/api-keys/create.ts';
import { exampleContact, type StoredContact } from '../../src/contacts/contact.ts';
import type { Draft } from '../../src/contacts/draft.ts';
import { suggestInProject } from '../../src/contacts/duplicates/suggest.ts';
import { importContacts } from '../../src/contacts/import.ts';
import { updateContact } from '../../src/contacts/update.ts';
import { openDatabase } from '../../src/database/open-store.ts';
import { sql } from '../../src/database/sql.ts';
import { unchanged } from '../../src/events/event.ts';
import { mirrored } from '../../src/imports.ts';
import { inviteMember } from '../../src/members/invite.ts';
import { run } from '../../src/operation.ts';
import { rightsOf } from '../../src/sign-in/session.ts';
import { newId } from '../../src/values/identifier.ts';
import { addSeconds, day, formatTimestamp } from '../../src/values/timestamp.ts';
import { at } from './clock.ts';
import { aConsole, type Console, owner } from './console.ts';
import { createChatbot } from './people.ts';
import { seededRandom } from './random.ts';
import { aRetry, storeWebhook } from './webhooks.ts';

/** Given and family names that go together, in the scripts of the world. */
const peoples = [
  ['Ana, Lucía, Mateo, Inés, Joaquín', 'Ferreira, Ruiz, Ortega, Vidal, Castaño'],
  ['Élodie, Julien, Maëlle, Théo', 'Lefèvre, Moreau, Béranger, Girard'],
  ['Jürgen, Katrin, Anneliese, Sören', 'Weiß, Schäfer, Großmann, Krüger'],
  ['Łukasz, Zofia, Grzegorz, Małgorzata', 'Zając, Wójcik, Kamiński'],
  ['Olivia, Kwame, Grace, Henry', 'Walker, Mensah, O’Connor, Bennett'],
  ['Παύλος, Ελένη, Γιώργος', 'Γεωργίου, Παπαδόπουλος, Νικολάου'],
  ['Ренат, Елена, Дмитро', 'Иваненко, Ковальчук, Бондар'],
  ['محمد, ليلى, يوسف', 'الفاسي, حداد, المصري'],
  ['שירה, נועם', 'לוי, כהן'],
  ['नीरज, प्रिया', 'शर्मा, पटेल'],
  ['佐藤, 中村, 高橋', '静香, 健太, 美咲'],
  ['김, 이, 박', '민준, 서연, 지우'],
  ['王, 李, 陈', '小明, 丽华, 志强'],
  ['สมชาย, มาลี', 'ใจดี, แสงทอง'],
].map((lists) => lists.map((list) => list.split(', ')));
const companies = 'Nordwind GmbH, Bluebird Travel, Casa Ferreira, Lindqvist AB, 青空商事, Atlas Foods, Kite & Co'.split(
  ', ',
);
const titles = 'Head of Sales, Buyer, Team lead, Founder, Office manager, Support engineer'.split(', ');
const tags = ['vip', 'newsletter', 'returns', 'q4-review', 'partner', 'trial'];
const cities = 'Lisbon, Berlin, Kraków, Accra, Athens, Osaka, Seoul, Casablanca'.split(', ');
const chatbots =
  'Returns, Sales, HR helpdesk, Onboarding, Night shift, Web shop, Events, Billing, Partners, Careers, Feedback'.split(
    ', ',
  );
const team = { grace: 'Admin', chiara: 'Editor', kwame: 'Analyst', elena: 'Agent', yusuf: 'Billing' } as const;

const { below, pick } = seededRandom(35);
const ago = (days: number) => addSeconds(new Date(), -days * day);

function somebody(n: number, days: number): Draft {
  const [given = [], family = []] = peoples[n % peoples.length] ?? [];
  const isJoined = /^[一-龥가-힣]/.test(given[0] ?? '');
  return {
    texts: {
      id: newId(),
      name: [pick(given), pick(family)].join(isJoined ? '' : ' '),
      email: below(8) === 0 ? null : `person${n}@example.com`,
      phone: below(3) === 0 ? null : `+1 ${201 + (n % 700)} 555 01${10 + below(90)}`,
      company: below(4) === 0 ? null : pick(companies),
      job_title: below(2) === 0 ? null : pick(titles),
      city: pick(cities),
      created_at: formatTimestamp(ago(days)),
    },
    tags: tags.filter(() => below(4) === 0),
  };
}

/** A project as an owner has it after some weeks: twelve chatbots, a team, and what they did on which day. */
export async function anOwnedProject(): Promise<Console> {
  const served = await aConsole({
    roles: Object.fromEntries(Object.entries(team).map(([name, role]) => [`${name}@example.com`, [role]])),
  });
  const { store, projectId, chatbotId } = served;
  const { members } = await store.members.list(projectId, {}, 10, 0);
  const as = (email: string): Actor => {
    const member = members.find((one) => one.email === email);
    if (!member) throw new Error(email);
    return { ...operator(projectId), type: 'member', id: member.id, scopes: rightsOf(member) };
  };
  const ids = [chatbotId];
  for (const name of chatbots) ids.push((await at(ago(20), () => createChatbot(store, projectId, { name }))).id);
  let n = 0;
  for (const days of [13, 11, 10, 9, 7, 6, 4, 3, 2, 1, 0.3]) {
    for (const [place, id] of ids.slice(0, 3 + below(9)).entries()) {
      const then = days - place / 60;
      const drafts = Array.from({ length: 2 + below(days > 9 ? 60 : 14) }, () => somebody(n++, days));
      const actor = pick([as('grace@example.com'), as('kwame@example.com'), as(owner)]);
      const batch = { ...mirrored<Draft, StoredContact>(drafts), chatbotId: id };
      await at(ago(then), () => run(importContacts, store, actor, batch));
      const contactId = drafts[0]?.texts.id ?? '';
      const properties = pick([
        { company: pick(companies) },
        { phone: '+1 555 0142', city: 'Porto' },
        { job_title: 'Buyer' },
      ]);
      const changed = { chatbotId: id, contactId, properties };
      await at(ago(then - 0.008), () => run(updateContact, store, as('kwame@example.com'), changed));
    }
  }
  await storeTwins(served, as('grace@example.com'), ids[1] ?? '');
  await storeRest(served, as);
  return served;
}

/** The example person, in two chatbots, and pairs who are one person each. */
async function storeTwins({ store, projectId, chatbotId }: Console, actor: Actor, returnsId: string) {
  const about = { job_title: 'Head of Sales', city: 'Lisbon', country: 'Portugal', language: 'Portuguese' };
  const ana = { ...exampleContact, ...about, created_at: formatTimestamp(ago(2)) };
  const pairs = ['Julien Moreau', 'Παύλος Γεωργίου', '佐藤静香'].flatMap((name, n) => {
    const texts = { name, email: `twin${n}@example.com`, phone: `+1 555 017${n}`, company: companies[n] ?? null };
    return [texts, { ...texts, name: n === 0 ? 'J. Moreau' : name, phone: `+1 555 018${n}`, job_title: 'Buyer' }];
  });
  const drafts: Draft[] = [
    ...pairs.map((texts) => ({ texts: { ...texts, id: newId(), created_at: formatTimestamp(ago(3)) } })),
    { texts: ana, tags: ['vip', 'q4-review'], attributes: { plan: 'gold', seats: 12, newsletter: true } },
  ];
  const batch = { ...mirrored<Draft, StoredContact>(drafts), chatbotId };
  await at(ago(0.05), () => run(importContacts, store, actor, batch));
  const changed = { chatbotId, contactId: exampleContact.id, properties: { company: 'Casa Ferreira' } };
  await at(ago(0.02), () => run(updateContact, store, actor, changed));
  const again: Draft[] = [{ texts: { ...ana, id: newId() } }];
  await run(importContacts, store, actor, { ...mirrored<Draft, StoredContact>(again), chatbotId: returnsId });
  for await (const _ of suggestInProject(store, 'find-duplicates', projectId));
}

async function storeRest(served: Console, as: (email: string) => Actor) {
  const { store, projectId } = served;
  await using database = await openDatabase(served.at.databaseUrl);
  await database.run(sql`update api_keys set name = ${'Website forms'} where project_id = ${projectId}`);
  await database.run(
    sql`update chatbots set created_at = ${formatTimestamp(ago(30))} where name = 'Desk' and project_id = ${projectId}`,
  );
  await run(inviteMember, store, as(owner), { email: 'heidi@example.com', roles: ['Analyst'] });
  await database.run(sql`update projects set name = ${'Nordwind'} where id = ${projectId}`);
  await run(createApiKey, store, as(owner), { name: 'CRM sync', scopes: ['contacts:read', 'contacts:write'] });
  await run(createApiKey, store, as('grace@example.com'), {
    name: 'Assistant',
    scopes: ['contacts:read'],
    expiresInSeconds: 9 * day,
  });
  const { last } = await store.events.list(projectId, { after: 0n, types: [], limit: 1 });
  const soon = formatTimestamp(addSeconds(new Date(), 7_200));
  const hook = (id: string, description: string, given: object) =>
    storeWebhook(store, projectId, id, { url: `https://hooks.example.com/${id}`, description, ...given });
  const fine = { last_success_at: formatTimestamp(addSeconds(new Date(), -1_000)), position: last, last_event: last };
  await hook('crm', 'CRM sync', fine);
  await hook('mail', 'Newsletter', { ...fine, events: ['contact.created'] });
  const failing = { failing_since: formatTimestamp(ago(0)), retry_at: soon, paused_until: soon, attempts: 3 };
  await hook('desk', 'Help desk', failing);
  const sent = [1, 2, 3, 4, 5].map((number) =>
    aRetry(number, {
      number,
      at: formatTimestamp(addSeconds(new Date(), number * 600 - 4_000)),
      duration_ms: 80 + below(90),
      ...(number === 3
        ? { next_attempt_at: soon }
        : { status: 204, reason: null, next_attempt_at: null, outcome: 'delivered' as const }),
    }),
  );
  await store.write(operator(projectId), async ({ webhooks }) =>
    unchanged(await webhooks.noteDeliveries(projectId, 'crm', sent)),
  );
  for (const name of ['grace', 'chiara', 'kwame'])
    await served.newSession(`${name}@example.com`, 'Mozilla/5.0 (Macintosh) Safari/605');
}
