-- A job runs when it is due. The process that claims it puts it off until its run must be over (docs/decisions/0023).
create table jobs (
  name text not null primary key,
  due_at text not null
) strict, without rowid;

-- Not at the first start: a new program first serves.
insert into jobs (name, due_at)
select value, strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now', '+10 minutes')
from json_each('["purge-bin", "purge-events", "purge-idempotency-keys"]');

-- What a job looks through, for all projects. On PostgreSQL a view shows them also to a role that row security binds.
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

-- 1 only within the transaction that deletes the project with all that belongs to it: then its Owner goes, too.
alter table projects add column is_deleted integer not null default 0 check (is_deleted in (0, 1));

drop trigger members_keep_owner;

create trigger members_keep_owner before delete on members
when old.position = 0 and not exists (select 1 from projects where id = old.project_id and is_deleted = 1)
begin
  select raise(abort, 'the Owner of a project cannot be removed');
end;
