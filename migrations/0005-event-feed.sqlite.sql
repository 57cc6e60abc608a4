-- Names the feed of a project: a cursor of another feed has expired. A restore gives each project a new name, and a copy
-- leaves its target the own one.
alter table projects add column feed text not null default '';

update projects set feed = lower(hex(randomblob(8)));

-- Processes of the version before insert projects too.
create trigger projects_begin_feed after insert on projects when new.feed = ''
begin
  update projects set feed = lower(hex(randomblob(8))) where id = new.id;
end;
