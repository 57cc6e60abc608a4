-- The twin of 0010-terms-by-chatbot.sqlite.sql. Adding a new column is faster than emptying the old one. Meanwhile the view
-- must not depend on the column; dropping the view would lose its grants. New rows go into a short pending list first, which
-- makes writes a fifth faster.
create or replace view unindexed_projects as select distinct project_id from contacts where false;

alter table contacts drop column search_key;

alter table contacts add column search_key tsvector;

create or replace view unindexed_projects as select distinct project_id from contacts where search_key is null;

create index contacts_unindexed on contacts (project_id, chatbot_id, created_at, id) where search_key is null;

create index contacts_by_words on contacts using gin (search_key) with (fastupdate = on, gin_pending_list_limit = 256)
where search_key is not null;

update search_state set folding = 2;
