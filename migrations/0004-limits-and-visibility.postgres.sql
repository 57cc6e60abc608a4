-- The twin of 0004-limits-and-visibility.sqlite.sql. Processes of the version before go on: they know no limit, and make
-- private chatbots by default.
alter table projects add column seats_max integer not null default 2147483647 check (seats_max >= 0);
alter table projects add column chatbots_max integer not null default 2147483647 check (chatbots_max >= 0);

alter table chatbots add column visibility text collate "C" not null default 'private'
check (visibility in ('private', 'public'));

create index chatbots_by_age on chatbots (project_id, created_at, id);
