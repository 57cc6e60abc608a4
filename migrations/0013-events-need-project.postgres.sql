-- The twin of 0013-events-need-project.sqlite.sql. What the foreign key held, a statement at a time: one that asks for each row
-- took a tenth of a commit of fifty contacts. Processes of the version before go on.
alter table events drop constraint events_project_id_fkey;

create function events_need_project() returns trigger language plpgsql set search_path from current as $$
begin
  if exists (
    select 1 from (select distinct project_id from added) as owner
    where not exists (select 1 from projects where projects.id = owner.project_id for key share)
  ) then
    raise exception 'an event needs a project that exists';
  end if;
  return null;
end
$$;

create trigger events_need_project after insert on events
referencing new table as added for each statement execute function events_need_project();
