-- The twin of 0011-import-walks.sqlite.sql. Processes of the version before go on: a row goes with its chatbot.
create table import_walks (
  project_id text collate "C" not null,
  chatbot_id text collate "C" not null,
  source text collate "C" not null,
  phase text collate "C" not null check (phase in ('whole', 'tail')),
  place text collate "C" not null,
  primary key (project_id, chatbot_id),
  foreign key (project_id, chatbot_id) references chatbots (project_id, id) on delete cascade
);

alter table import_walks enable row level security;
create policy tenant on import_walks using (project_id = current_setting('roster.project_id', true));
