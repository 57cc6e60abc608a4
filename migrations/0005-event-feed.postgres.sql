-- The twin of 0005-event-feed.sqlite.sql. Processes of the version before go on: the default names the feed of a project
-- that they insert.
alter table projects add column feed text not null
default encode(substring(uuid_send(gen_random_uuid()) from 9), 'hex');
