-- The twin of 0028-event-marks.sqlite.sql.
create table event_marks (
  project_id text collate "C" not null references projects (id) on delete cascade,
  part integer not null,
  block integer not null,
  earliest text collate "C",
  latest text collate "C",
  marks text collate "C" not null,
  primary key (project_id, part, block)
);

insert into jobs (name, due_at) values ('mark-events', to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"'));
