import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { register } from '../../scripts/privacy/register.ts';

const root = fileURLToPath(new URL('../../src', import.meta.url));
const views = ['merge_ages', 'bin_ages', 'project_ages', 'unindexed_projects'];
const ofProjects = register
  .filter(({ name, parts }) => name === 'projects' || parts.some(({ columns }) => columns.includes('project_id')))
  .map(({ name }) => name);
const tenantTables = new RegExp(`\\b(?:from|into|update|join)\\s+(${[...ofProjects, ...views].join('|')})\\b`);

/** Statements about several projects: the operator's at the command line, those of jobs, of who waits for events, and whose a key is. */
const aboutAllProjects = [
  'select id, name, created_at from projects order by created_at, id',
  'select id, cast(last_event as text) as last from projects where id in ?',
  'select projects.id as project_id, given.column2 as sequence, feed, cast(last_event as text) as last, events.id from ? as given join projects on projects.id = given.column1 left join events on project_id = projects.id and sequence = cast(given.column2 as bigint)',
  'select ? from chatbots where id = ? order by project_id',
  'update projects set feed = lower(hex(randomblob(8)))',
  'select project_id, chatbot_id, oldest from bin_ages where (project_id, chatbot_id) > (?, ?) order by project_id, chatbot_id limit ?',
  'select project_id, chatbot_id, oldest from merge_ages where (project_id, chatbot_id) > (?, ?) order by project_id, chatbot_id limit ?',
  'select webhooks.project_id, webhooks.id, attempts, last_event, case when retry_at <= ? or failing_since <= ? then 1 else 0 end as is_time_up from webhooks join projects on projects.id = webhooks.project_id where disabled_reason is null and (position < last_event or retry_at <= ? or failing_since <= ?) and (paused_until is null or paused_until <= ?)',
  "select project_id, '' as chatbot_id, oldest_event as oldest from project_ages where project_id > ? order by project_id limit ?",
  "select project_id, '' as chatbot_id, oldest_request as oldest from project_ages where project_id > ? order by project_id limit ?",
  'select id from projects where not exists (select 1 from members where project_id = projects.id and position = 0) order by id',
  'select api_keys.token_hash, sought.token_hash as sought, ?, revoked_at is null and (expires_at is null or expires_at > ?) as is_usable from ( select project_id as sought_project_id, id as sought_id, token_hash from api_keys where token_hash <= ? order by token_hash desc limit 1 ) as sought join api_keys on project_id = sought_project_id and id = sought_id',
  'select invitations.token_hash as found, sought.token_hash as sought, project_id, member_id, expires_at from ( select project_id as sought_project_id, member_id as sought_id, token_hash from invitations where token_hash <= ? order by token_hash desc limit 1 ) as sought join invitations on project_id = sought_project_id and member_id = sought_id',
  'select ? from api_keys where token_hash = ?',
  'select ? from sessions where token_hash = ?',
  'select project_id, member_id, verified_at, expires_at from sign_in_links where token_hash = ?',
  'select ? from passkeys where credential_id = ?',
  'update api_keys set revoked_at = ? where revoked_at is null',
  'select cast(count(*) as integer) as total from contacts where search_key is not null',
  'select project_id, chatbot_id, id, ? as stored, ? from contacts where (project_id, chatbot_id, id) > (?, ?, ?) and search_key is not null order by project_id, chatbot_id, id limit ? offset ?',
  'select id from projects left join duplicate_progress on project_id = id where counted is null or contact_id is not null or counted <> last_event order by contact_id is not null, random() limit ?',
  'select id from projects where last_event >= ? * (2 + coalesce( (select max(block) from event_marks where project_id = projects.id and part = ?), -1)) order by random() limit ?',
  'delete from sessions',
  'delete from sign_in_links',
  'select ? from api_keys where id = ?',
  'select project_id from unindexed_projects order by project_id limit ?',
  'select folding, (select cast(count(*) as integer) from contacts where search_key is null) as unindexed from search_state',
  "select cast(count(case when disabled_reason is null and failing_since is not null then 1 end) as integer) as failing, cast(count(case when disabled_reason <> 'requested' then 1 end) as integer) as disabled, min(case when disabled_reason is null and (position < last_event or retry_at is not null) then ( select occurred_at from events where events.project_id = webhooks.project_id and events.sequence > coalesce(( select webhook_deliveries.sequence - 1 from webhook_deliveries where webhook_deliveries.project_id = webhooks.project_id and webhook_id = webhooks.id and outcome = 'retrying' order by webhook_deliveries.sequence limit 1 ), position) order by events.sequence limit 1 ) end) as oldest from webhooks join projects on projects.id = webhooks.project_id",
  'select 1 as found from webhooks where disabled_reason is null limit 1',
  "select project_id, id, disabled_reason from webhooks where disabled_reason <> 'requested' or (disabled_reason is null and failing_since is not null) order by disabled_reason is null, project_id, id limit ?",
  'update webhooks set disabled_reason = ?, revision = max(revision + 1, ?) where disabled_reason is null',
  'update chatbots set contacts_removed = 0, contacts_added = ( select count(*) from contacts where contacts.project_id = chatbots.project_id and contacts.chatbot_id = chatbots.id )',
];

/** The templates with the tag `sql` in a source text; each `${…}` is a `?`, and a template in it comes for itself. */
function sqlTexts(source: string): string[] {
  return [...source.matchAll(/(?<!`)\bsql`/g)].map(({ index }) => {
    let text = '';
    let depth = 0;
    for (let at = index + 4; at < source.length; at++) {
      const opens = source.startsWith('${', at);
      if (depth === 0 && source[at] === '`') break;
      if (depth === 0) text += opens ? '?' : source[at];
      if (opens) at++;
      if (opens || (depth > 0 && source[at] === '{')) depth++;
      else if (depth > 0 && source[at] === '}') depth--;
    }
    return text.replaceAll(/\s+/g, ' ').trim();
  });
}

/** Whether a statement may touch more than one project. */
function isUnbound(text: string): boolean {
  const table = tenantTables.exec(text)?.[1];
  if (table === undefined) return false;
  const column = table === 'projects' ? 'id' : 'project_id';
  return text.startsWith('insert')
    ? !text.includes(`(${column},`)
    : !new RegExp(`\\b(?:where|on) (${column} = \\?|\\(${column}, \\w+\\) in \\?)`).test(text);
}

describe('every SQL text of the program', () => {
  const sources = globSync('**/*.ts', { cwd: root }).map(
    (file) => [file, readFileSync(`${root}/${file}`, 'utf8')] as const,
  );
  const texts = sources.flatMap(([file, source]) => sqlTexts(source).map((text) => [file, text] as const));

  it('names the project of the rows that it touches, or is one of those that are about all', () => {
    const unbound = texts.filter(([, text]) => isUnbound(text)).map(([, text]) => text);
    expect(unbound.toSorted()).toEqual(aboutAllProjects.toSorted());
    // They are found at all: each table is touched by several.
    expect(texts.filter(([, text]) => tenantTables.test(text)).length).toBeGreaterThan(15);
  });

  it('inserts with the project as the first column', () => {
    const insertions = sources.flatMap(([, source]) => [...source.matchAll(/into: '(\w+)',\s+columns: \[\s*'(\w+)'/g)]);
    expect(insertions.map(([, table, first]) => [table, first])).toEqual([
      ['contacts', 'project_id'],
      ['duplicate_keys', 'project_id'],
      ['duplicate_pairs', 'project_id'],
      ['dismissed_duplicates', 'project_id'],
      ['event_marks', 'project_id'],
      ['events', 'project_id'],
      ['members', 'project_id'],
      ['webhook_deliveries', 'project_id'],
    ]);
  });

  it('names its tables itself, but for what reads and counts whole tables for the operator', () => {
    const raw = sources.filter(([, source]) => /\$\{raw\(/.test(source)).map(([file]) => file);
    expect(raw.toSorted()).toEqual([
      'database/upkeep/backup.ts',
      'database/upkeep/copy.ts',
      'database/upkeep/restore-comparison.ts',
      'database/upkeep/restore-rows.ts',
    ]);
  });

  it('would be found out if it forgot the project', () => {
    expect(isUnbound('select name from contacts where id = ?')).toBe(true);
    expect(isUnbound('select name from contacts where chatbot_id = ? and project_id = ?')).toBe(true);
    expect(isUnbound('delete from members where email_key = ?')).toBe(true);
    expect(isUnbound('delete from members where (email_key, status) in ?')).toBe(true);
    expect(isUnbound('delete from idempotency_keys where created_at < ?')).toBe(true);
    expect(isUnbound('select type from events where sequence > ?')).toBe(true);
    expect(isUnbound('insert into api_keys (id, name) values (?, ?)')).toBe(true);
    expect(sqlTexts('sql`select ${a} from x where b = ${f({ c: sql`d` })} or e`')).toEqual([
      'select ? from x where b = ? or e',
      'd',
    ]);
  });

  it('is written with the tag, or comes from a migration', () => {
    const elsewhere = sources.filter(
      ([file, source]) =>
        !file.startsWith('database/') && /['"`](select|insert into|update \w+ set|delete from) /i.test(source),
    );
    // The import's own memory, a temporary file that holds one chatbot's rows.
    expect(elsewhere.map(([file]) => file)).toEqual(['files/import-memory.ts']);
  });
});

describe('every key of a table', () => {
  it.each(['sqlite', 'postgres'])('on %s begins with the project', (engine) => {
    const schema = globSync(`../migrations/*.${engine}.sql`, { cwd: root })
      .map((file) => readFileSync(`${root}/${file}`, 'utf8'))
      .join('\n');
    const keys = [
      ...schema.matchAll(/\b(?:primary key|unique|foreign key) \((\w+)/g),
      ...schema.matchAll(/\bcreate (?:unique )?index \w+ on \w+ \((\w+)/g),
    ].map(([, column]) => column);
    // A key, an invitation, a session, a link and a passkey are found before the project is known: the exceptions.
    const hashes = ['token_hash', 'token_hash', 'token_hash', 'token_hash'];
    // The number of a chatbot or project, within the index of search: the contacts themselves are read with their project.
    const ofIndex = engine === 'sqlite' ? ['chatbot', 'project'] : [];
    expect(keys.filter((column) => column !== 'project_id')).toEqual([...hashes, 'credential_id', ...ofIndex]);
    expect(keys.length).toBeGreaterThan(7);
  });
});
