-- The twin of 0007-jobs.sqlite.sql. Processes of the version before go on: they run no job and delete no project.
create table jobs (
  name text collate "C" not null primary key,
  due_at text collate "C" not null
);

insert into jobs (name, due_at)
select name, to_char(now() at time zone 'UTC' + interval '10 minutes', 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"')
from unnest(array['purge-bin', 'purge-events', 'purge-idempotency-keys']) as name;

create view bin_ages as
select chatbots.project_id, chatbots.id as chatbot_id, (
  select deleted_at from deleted_contacts
  where deleted_contacts.project_id = chatbots.project_id and deleted_contacts.chatbot_id = chatbots.id
  order by deleted_at limit 1
) as oldest
from chatbots;

create view project_ages as
select projects.id as project_id, (
  select occurred_at from events where events.project_id = projects.id order by sequence limit 1
) as oldest_event, (
  select created_at from idempotency_keys where idempotency_keys.project_id = projects.id order by created_at limit 1
) as oldest_request
from projects;

alter table projects add column is_deleted integer not null default 0 check (is_deleted in (0, 1));

create or replace function members_keep_owner() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op = 'DELETE' then
    if exists (select 1 from projects where id = old.project_id and is_deleted = 1) then
      return old;
    end if;
    raise exception 'the Owner of a project cannot be removed';
  end if;
  if new.position <> 0 or new.project_id <> old.project_id then
    raise exception 'the Owner of a project cannot lose the role';
  end if;
  return new;
end
$$;
