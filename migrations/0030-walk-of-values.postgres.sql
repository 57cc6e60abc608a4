-- As in 0027, but a search for contacts without a value walks far: to answer it the index reads every contact that has the value, and
-- one in a thousand is found sooner on the rows. With little memory it would even name pages instead of contacts, and read all of
-- them; for other searches naming pages is faster. The walk fetches block by block, as a loop would read ten blocks ahead.
create or replace function find_contacts(
  project text, terms tsquery, whole_tag text, is_newest_first boolean,
  lowest_place bigint, highest_place bigint, created_after text, created_before text, number integer,
  chatbots text[] default null
) returns table (found_place bigint, found_chatbot text, found_id text)
language plpgsql stable security invoker
set search_path from current set enable_seqscan = off set work_mem = '4MB' as $$
declare
  direction text := case when is_newest_first then 'desc' else 'asc' end;
  is_next text := case when is_newest_first then '<' else '>' end;
  of_chatbots text := case when chatbots is null then '' else 'and chatbot_id || '''' = any($8)' end;
  is_without boolean := terms::text like '%!%';
  walk_of integer := case when is_without then 100000 else 8000 end;
  walk refcursor;
  passed record;
  walked integer := 0;
  found integer := 0;
begin
  if is_without then
    perform set_config('work_mem', '16MB', true);
  end if;
  open walk no scroll for execute format('
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
    select block.number as of_block, of_block.*
    from block cross join lateral (
      select count(*) as entries, count(*) filter (where is_hit) as hits,
        array_agg(place order by place %1$s) filter (where is_hit) as places,
        array_agg(chatbot_id order by place %1$s) filter (where is_hit) as chatbots,
        array_agg(id order by place %1$s) filter (where is_hit) as ids
      from (
        select place, chatbot_id, id, search_key @@ $6
          and ($7 is null or position('','' || $7 || '','' in '','' || tags || '','') > 0) as is_hit
        from contacts
        where project_id = $1 and place >> 10 = block.number
          and created_at || '''' > $4 and created_at || '''' < $5 and place between $2 and $3 %3$s
        offset 0
      ) as entry
    ) as of_block
    where block.number is not null', direction, is_next, of_chatbots)
    using project, lowest_place, highest_place, created_after, created_before, terms, whole_tag, chatbots;
  loop
    fetch walk into passed;
    if passed.of_block is null then
      return;
    end if;
    return query
      select * from unnest(passed.places, passed.chatbots, passed.ids) limit number - found;
    walked := walked + passed.entries;
    found := found + passed.hits;
    if found >= number then
      return;
    end if;
    exit when walked >= walk_of or not is_without and walked >= 500 and found * 300 < walked;
  end loop;
  close walk;
  if is_newest_first then
    highest_place := (passed.of_block << 10) - 1;
  else
    lowest_place := (passed.of_block + 1) << 10;
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
