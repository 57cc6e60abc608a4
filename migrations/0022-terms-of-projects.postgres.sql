-- The twin of 0022-terms-of-projects.sqlite.sql. Adding a new column for the terms is faster than emptying the old one. Meanwhile the
-- view must not depend on the column; dropping the view would lose its grants.
lock table contacts in share row exclusive mode;

create or replace view unindexed_projects as select distinct project_id from contacts where false;

drop trigger contacts_with_other_terms on contacts;

alter table contacts drop column search_key;

alter table contacts add column search_key tsvector;

create or replace view unindexed_projects as select distinct project_id from contacts where search_key is null;

create index contacts_unindexed on contacts (project_id, chatbot_id, place) where search_key is null;

create index contacts_by_words on contacts using gin (search_key) with (fastupdate = on, gin_pending_list_limit = 256)
where search_key is not null;

-- As before (0017); the terms of this version have one that begins with two marks.
create trigger contacts_with_other_terms before insert or update on contacts
for each row when (new.search_key is not null and (new.place is null or not new.search_key @@ '''~~'':*'::tsquery))
execute function contacts_with_other_terms();

-- A search with times of creation skips blocks of 1,024 places in which nobody was created then. An expression of the time keeps the
-- planner from taking contacts_by_age for each block.
drop index contacts_by_block;

create index contacts_by_block on contacts (project_id, (place >> 10), (created_at || ''), place);

create index contacts_by_update on contacts (project_id, (coalesce(updated_at, '')), id, chatbot_id);

drop function find_contacts;

-- The contacts that a query finds between two places and two times of creation, in the order of places; the caller reads the rows. It
-- walks them from block to block while one of three hundred is a hit, so that not all hits of a frequent word are sorted, and then
-- asks the index.
create function find_contacts(
  project text, terms tsquery, whole_tag text, is_newest_first boolean,
  lowest_place bigint, highest_place bigint, created_after text, created_before text, number integer
) returns table (found_place bigint, found_chatbot text, found_id text)
language plpgsql stable security invoker set search_path from current set enable_seqscan = off as $$
declare
  direction text := case when is_newest_first then 'desc' else 'asc' end;
  is_next text := case when is_newest_first then '<' else '>' end;
  passed record;
  walked integer := 0;
  found integer := 0;
  is_cut boolean := false;
begin
  for passed in execute format('
    with recursive block (number) as (
      (
        select place >> 10 from contacts
        where project_id = $1 and place >> 10 between $2 >> 10 and $3 >> 10
        order by place >> 10 %1$s limit 1
      )
      union all
      select (
        select place >> 10 from contacts
        where project_id = $1 and place >> 10 between $2 >> 10 and $3 >> 10
          and place >> 10 %2$s block.number
        order by place >> 10 %1$s limit 1
      )
      from block where block.number is not null
    )
    select of_block.place, of_block.chatbot_id, of_block.id, of_block.search_key @@ $6
        and ($7 is null or position('','' || $7 || '','' in '','' || of_block.tags || '','') > 0) as is_hit
    from block cross join lateral (
      select place, chatbot_id, id, search_key, tags from contacts
      where project_id = $1 and place >> 10 = block.number
        and created_at || '''' > $4 and created_at || '''' < $5 and place between $2 and $3
      order by place %1$s
    ) as of_block
    limit 8000', direction, is_next)
    using project, lowest_place, highest_place, created_after, created_before, terms, whole_tag
  loop
    walked := walked + 1;
    if passed.is_hit then
      found := found + 1;
      found_place := passed.place;
      found_chatbot := passed.chatbot_id;
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
    highest_place := passed.place - 1;
  else
    lowest_place := passed.place + 1;
  end if;
  return query execute format('
    with hits as materialized (
      select project_id, chatbot_id, place, id, tags, created_at from contacts where search_key @@ $6
    )
    select place, chatbot_id, id from hits
    where project_id = $1 and place between $2 and $3 and created_at > $4 and created_at < $5
      and ($7 is null or position('','' || $7 || '','' in '','' || tags || '','') > 0)
    order by place %1$s limit $8', direction)
    using project, lowest_place, highest_place, created_after, created_before, terms, whole_tag, number - found;
end
$$;

update search_state set folding = 4;
