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
