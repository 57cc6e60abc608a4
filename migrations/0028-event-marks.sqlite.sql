-- What each 256 events are about, so that a filter of the feed skips the others (docs/decisions/0057). Part 0 has digests of
-- types, actors, chatbots and members; the others share out those of contacts.
create table event_marks (
  project_id text not null references projects (id) on delete cascade,
  part integer not null,
  block integer not null,
  earliest text,
  latest text,
  marks text not null,
  primary key (project_id, part, block)
) strict, without rowid;

insert into jobs (name, due_at) values ('mark-events', strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now'));
