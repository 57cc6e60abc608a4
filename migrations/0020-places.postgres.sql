-- The twin of 0020-places.sqlite.sql; here the index stays as it is. Processes of the version before go on: a contact that they add
-- gets its place by default.
lock table contacts in share row exclusive mode;

-- Made anew below: an update of each row would write to each of them.
drop index contacts_by_email;
drop index contacts_by_digest;
drop index contacts_by_age;
drop index contacts_by_phone;
drop index contacts_by_external_id;
drop index contacts_unindexed;
drop index contacts_by_words;

alter table contacts add column place bigint;

update contacts set place = placed.place
from (
  select project_id, chatbot_id, id, row_number() over (order by created_at, id) as place from contacts
) as placed
where contacts.project_id = placed.project_id and contacts.chatbot_id = placed.chatbot_id and contacts.id = placed.id;

create sequence contact_places owned by contacts.place;

select setval('contact_places', coalesce(max(place), 0) + 1, false) from contacts;

alter table contacts alter column place set default nextval('contact_places'), alter column place set not null;

create index contacts_by_email on contacts (project_id, chatbot_id, email_key) where email_key is not null;
create index contacts_by_digest on contacts (project_id, chatbot_id, import_digest) where import_digest is not null;
create index contacts_by_age on contacts (project_id, chatbot_id, created_at, id);
create index contacts_by_phone on contacts (project_id, chatbot_id, phone_key) where phone_key is not null;
create unique index contacts_by_external_id on contacts (project_id, chatbot_id, external_id) where external_id is not null;
create index contacts_unindexed on contacts (project_id, chatbot_id, place) where search_key is null;
create index contacts_by_words on contacts using gin (search_key) with (fastupdate = on, gin_pending_list_limit = 256)
where search_key is not null;

-- A search with times of creation skips blocks of 1,024 places in which nobody was created then.
create index contacts_by_block on contacts (project_id, chatbot_id, (place >> 10), created_at, place);

-- The contacts that a query finds between two places and two times of creation, in the order of places; the caller reads the rows. It
-- walks them from block to block while one of three hundred is a hit, so that not all hits of a frequent word are sorted, and then
-- asks the index.
create function find_contacts(
  project text, chatbot text, terms tsquery, whole_tag text, is_newest_first boolean,
  lowest_place bigint, highest_place bigint, created_after text, created_before text, number integer
) returns table (found_place bigint, found_id text)
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
        where project_id = $1 and chatbot_id = $2 and place >> 10 between $3 >> 10 and $4 >> 10
        order by place >> 10 %1$s limit 1
      )
      union all
      select (
        select place >> 10 from contacts
        where project_id = $1 and chatbot_id = $2 and place >> 10 between $3 >> 10 and $4 >> 10
          and place >> 10 %2$s block.number
        order by place >> 10 %1$s limit 1
      )
      from block where block.number is not null
    )
    select of_block.place, of_block.id, of_block.search_key @@ $7
        and ($8 is null or position('','' || $8 || '','' in '','' || of_block.tags || '','') > 0) as is_hit
    from block cross join lateral (
      select place, id, search_key, tags from contacts
      where project_id = $1 and chatbot_id = $2 and place >> 10 = block.number
        and created_at > $5 and created_at < $6 and place between $3 and $4
      order by place %1$s
    ) as of_block
    limit 8000', direction, is_next)
    using project, chatbot, lowest_place, highest_place, created_after, created_before, terms, whole_tag
  loop
    walked := walked + 1;
    if passed.is_hit then
      found := found + 1;
      found_place := passed.place;
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
      select project_id, chatbot_id, place, id, tags, created_at from contacts where search_key @@ $7
    )
    select place, id from hits
    where project_id = $1 and chatbot_id = $2 and place between $3 and $4 and created_at > $5 and created_at < $6
      and ($8 is null or position('','' || $8 || '','' in '','' || tags || '','') > 0)
    order by place %1$s limit $9', direction)
    using project, chatbot, lowest_place, highest_place, created_after, created_before, terms, whole_tag, number - found;
end
$$;
