-- How far an import has come through the contacts of a chatbot at their source. Without its row an import begins anew.
create table import_walks (
  project_id text not null,
  chatbot_id text not null,
  source text not null,
  phase text not null check (phase in ('whole', 'tail')),
  place text not null,
  primary key (project_id, chatbot_id),
  foreign key (project_id, chatbot_id) references chatbots (project_id, id) on delete cascade
) strict, without rowid;
