-- Each term of the index now begins with its chatbot, so a search reads no terms of other chatbots (docs/decisions/0025). The job
-- rebuilds the index in steps, `roster migrate` at once. Each place now has the second of its day, so that late contacts are
-- sorted without reading their rows.
drop table contact_words;

create virtual table contact_words using fts5(
  words, content = '', columnsize = 0, detail = none, prefix = '5 6 7', tokenize = "ascii tokenchars '~'"
);

insert into contact_words (contact_words, rank) values ('automerge', 4);

drop table indexed_contacts;

create table indexed_contacts (
  search_key integer primary key,
  contact_id text not null,
  second integer not null
) strict;

update contacts set search_key = null where search_key is not null;

update search_state set folding = 2;

-- Steps from project to project in the index. Reading all unindexed contacts of a million would stop the service for seconds.
drop view unindexed_projects;

create view unindexed_projects as
with recursive project(id) as (
  select min(project_id) from contacts indexed by contacts_unindexed where search_key is null
  union all
  select (
    select min(project_id) from contacts indexed by contacts_unindexed
    where search_key is null and project_id > project.id
  )
  from project where project.id is not null
)
select id as project_id from project where id is not null;
