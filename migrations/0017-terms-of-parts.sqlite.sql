-- Words of scripts without spaces are indexed in short parts, so the index grows as the text does (docs/decisions/0031). The job
-- rebuilds the index in steps, `roster migrate` at once.
drop table contact_words;

create virtual table contact_words using fts5(
  words, content = '', columnsize = 0, detail = none, prefix = '5 6 7', tokenize = "ascii tokenchars '~'"
);

insert into contact_words (contact_words, rank) values ('automerge', 4);

delete from indexed_contacts;

update contacts set search_key = null where search_key is not null;

update search_state set folding = 3;

-- On PostgreSQL the job of a program of the version before must not run.
update jobs set name = 'index-search' where name = 'index-contacts';
