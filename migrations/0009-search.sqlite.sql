-- People are found by words, folded in the program, in an index that keeps no text of its own. Null until a contact is in
-- it; otherwise its place there: by day, and within a day in the order of lists, but for those that came late
-- (docs/decisions/0025).
alter table contacts add column search_key integer;

-- Whoever is not in the index yet: contacts of before, and those that programs of the version before add.
create index contacts_unindexed on contacts (project_id, chatbot_id, created_at, id) where search_key is null;

create table indexed_contacts (
  search_key integer primary key,
  contact_id text not null
) strict;

create virtual table contact_words using fts5(
  words, content = '', columnsize = 0, detail = none, prefix = '1 2 3', tokenize = "ascii tokenchars '~'"
);

-- Fewer merges while writing, for somewhat more parts while searching.
insert into contact_words (contact_words, rank) values ('automerge', 4);

-- By which folding the index was made, and how often something has made it worth merging since it was merged last.
create table search_state (
  folding integer not null,
  merges_due integer not null default 0
) strict;

insert into search_state (folding) values (1);

-- Whose contacts the job must index.
create view unindexed_projects as select distinct project_id from contacts where search_key is null;

insert into jobs (name, due_at)
select value, strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now') from json_each('["index-contacts", "merge-index"]');
