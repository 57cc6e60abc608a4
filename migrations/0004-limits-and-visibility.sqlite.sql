-- 2147483647 is no limit. A limit may be below what is used: then nothing is added.
alter table projects add column seats_max integer not null default 2147483647 check (seats_max >= 0);
alter table projects add column chatbots_max integer not null default 2147483647 check (chatbots_max >= 0);

alter table chatbots add column visibility text not null default 'private'
check (visibility in ('private', 'public'));

create index chatbots_by_age on chatbots (project_id, created_at, id);
