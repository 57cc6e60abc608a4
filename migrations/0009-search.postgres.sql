-- The twin of 0009-search.sqlite.sql; here the words are a column of the contact. Processes of the version before go on:
-- whom they add is found once the job has indexed them. Nobody writes contacts meanwhile; everybody reads them.
lock table contacts in share row exclusive mode;

alter table contacts add column search_key tsvector;

create index contacts_unindexed on contacts (project_id, chatbot_id, created_at, id) where search_key is null;

create index contacts_by_words on contacts using gin (search_key) with (fastupdate = off)
where search_key is not null;

create table search_state (
  folding integer not null,
  merges_due integer not null default 0
);

insert into search_state (folding) values (1);

-- Whose contacts the job must index.
create view unindexed_projects as select distinct project_id from contacts where search_key is null;

insert into jobs (name, due_at)
select name, to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"')
from unnest(array['index-contacts', 'merge-index']) as name;

-- The contacts that a query finds, in the order of the list, between two positions; a role that row security binds may ask,
-- as the engine would not use the index under a policy. It tells times and ids alone: the caller reads the rows. It walks the
-- list while one of three hundred is a hit, so that not all hits of a frequent word are sorted, and then asks the index.
create function search_contacts(
  project text, chatbot text, terms tsquery, whole_tag text, is_newest_first boolean,
  lower_time text, lower_id text, upper_time text, upper_id text, number integer
) returns table (found_time text, found_id text)
language plpgsql stable security definer set search_path from current set enable_seqscan = off as $$
declare
  direction text := case when is_newest_first then 'desc' else 'asc' end;
  passed record;
  walked integer := 0;
  found integer := 0;
  is_cut boolean := false;
begin
  -- Whoever does not own the tables is told of the project alone that row security shows them.
  if project is distinct from current_setting('roster.project_id', true) and not pg_has_role(
    session_user, (select relowner from pg_class where oid = 'contacts'::regclass), 'usage'
  ) then
    raise insufficient_privilege;
  end if;
  for passed in execute format('
    select created_at, id,
      search_key @@ $7 and ($8 is null or position('','' || $8 || '','' in '','' || tags || '','') > 0) as is_hit
    from contacts
    where project_id = $1 and chatbot_id = $2 and (created_at, id) > ($3, $4) and (created_at, id) < ($5, $6)
    order by created_at %1$s, id %1$s limit 8000', direction)
    using project, chatbot, lower_time, lower_id, upper_time, upper_id, terms, whole_tag
  loop
    walked := walked + 1;
    if passed.is_hit then
      found := found + 1;
      found_time := passed.created_at;
      found_id := passed.id;
      return next;
      if found = number then
        return;
      end if;
    end if;
    is_cut := walked = 8000 or (walked >= 500 and found * 300 < walked);
    exit when is_cut;
  end loop;
  if not is_cut then
    return;
  end if;
  if is_newest_first then
    upper_time := passed.created_at;
    upper_id := passed.id;
  else
    lower_time := passed.created_at;
    lower_id := passed.id;
  end if;
  return query execute format('
    with hits as materialized (
      select project_id, chatbot_id, created_at, id, tags from contacts where search_key @@ $7
    )
    select created_at, id from hits
    where project_id = $1 and chatbot_id = $2 and (created_at, id) > ($3, $4) and (created_at, id) < ($5, $6)
      and ($8 is null or position('','' || $8 || '','' in '','' || tags || '','') > 0)
    order by created_at %1$s, id %1$s limit $9', direction)
    using project, chatbot, lower_time, lower_id, upper_time, upper_id, terms, whole_tag, number - found;
end
$$;
