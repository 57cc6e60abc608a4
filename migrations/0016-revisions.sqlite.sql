-- Moves with every change of the thing, so that the ETag of an earlier state guards no write (docs/decisions/0036). What is there
-- gets the milliseconds of this moment: a backup that is restored and migrated later gets others.
alter table projects add column revision integer not null default 0;
alter table chatbots add column revision integer not null default 0;
alter table members add column revision integer not null default 0;
alter table contacts add column revision integer not null default 0;
alter table deleted_contacts add column revision integer not null default 0;

update projects set revision = cast(unixepoch('subsec') * 1000 as integer);
update chatbots set revision = cast(unixepoch('subsec') * 1000 as integer);
update members set revision = cast(unixepoch('subsec') * 1000 as integer);
update contacts set revision = cast(unixepoch('subsec') * 1000 as integer);
update deleted_contacts set revision = cast(unixepoch('subsec') * 1000 as integer);
