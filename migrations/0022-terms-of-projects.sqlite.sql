-- Terms begin with the project's code instead of the chatbot's, so that a search may mean all chatbots of a project, and there are
-- terms of whole values for conditions (docs/decisions/0052). The job rebuilds the index in steps; `roster migrate` does it at once.
update contacts set search_key = null where search_key is not null;

drop table contact_words;

create virtual table contact_words using fts5(
  words, content = '', columnsize = 0, detail = none, prefix = '5 6 7', tokenize = "ascii tokenchars '~'"
);

insert into contact_words (contact_words, rank) values ('automerge', 4);

drop table indexed_contacts;

-- The contact of each entry of the index, whose number is its place. `project` is the number of the project's code, which a few
-- projects may share.
create table indexed_contacts (
  entry integer primary key,
  project integer not null,
  of_chatbot text not null,
  contact_id text not null,
  created text not null
) strict;

-- A search with times of creation skips blocks of 1,024 places in which nobody was created then.
create index indexed_contacts_by_block on indexed_contacts (project, entry >> 10, created);

create index contacts_by_update on contacts (project_id, coalesce(updated_at, ''), id, chatbot_id);

update search_state set folding = 4;
