-- A contact has one place, given when it is added: the order of search, over all chatbots (docs/decisions/0040). Contacts that are
-- there get places below zero, by the time of their creation, from the job that also rebuilds the index in steps; `roster migrate`
-- does it at once.
drop index contacts_unindexed;

alter table contacts add column place integer;

update contacts set search_key = null where search_key is not null;

create index contacts_unindexed on contacts (project_id, chatbot_id, place) where search_key is null;

create index contacts_unplaced on contacts (project_id, created_at, id) where place is null;

-- The first place of contacts that were there before, and the last of those that are added.
alter table search_state add column first_place integer not null default 0;

alter table search_state add column last_place integer not null default 0;

drop table contact_words;

create virtual table contact_words using fts5(
  words, content = '', columnsize = 0, detail = none, prefix = '5 6 7', tokenize = "ascii tokenchars '~'"
);

insert into contact_words (contact_words, rank) values ('automerge', 4);

drop table indexed_contacts;

-- The contact of each entry of the index, whose number is its place. `chatbot` is the number of the chatbot's code, which a few
-- chatbots may share.
create table indexed_contacts (
  entry integer primary key,
  chatbot integer not null,
  contact_id text not null,
  created text not null
) strict;

-- A search with times of creation skips blocks of 1,024 places in which nobody was created then.
create index indexed_contacts_by_block on indexed_contacts (chatbot, entry >> 10, created);
