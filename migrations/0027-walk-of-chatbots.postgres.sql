-- A walk for some chatbots reads their contacts alone: the newest of the project may all be of another one, and then the hits of a
-- frequent word came from the index, all of them sorted. Expressions keep the planner from taking other indexes for each block.
drop index contacts_by_block;

create index contacts_by_block on contacts (project_id, (place >> 10), (chatbot_id || ''), (created_at || ''), place);

drop function find_contacts;

-- As in 0022. `chatbots` are those of the walk, null all of the project; an older program leaves them out, and names them in `terms` alone.
create function find_contacts(
  project text, terms tsquery, whole_tag text, is_newest_first boolean,
  lowest_place bigint, highest_place bigint, created_after text, created_before text, number integer,
  chatbots text[] default null
) returns table (found_place bigint, found_chatbot text, found_id text)
language plpgsql stable security invoker set search_path from current set enable_seqscan = off as $$
declare
  direction text := case when is_newest_first then 'desc' else 'asc' end;
  is_next text := case when is_newest_first then '<' else '>' end;
  of_chatbots text := case when chatbots is null then '' else 'and chatbot_id || '''' = any($8)' end;
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
        and created_at || '''' > $4 and created_at || '''' < $5 and place between $2 and $3 %3$s
      order by place %1$s
    ) as of_block
    limit 8000', direction, is_next, of_chatbots)
    using project, lowest_place, highest_place, created_after, created_before, terms, whole_tag, chatbots
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
