-- A contact has one place, given when it is added: the order of search, over all chatbots (docs/decisions/0040). Contacts that are
-- there get theirs by the time of their creation. The index goes by places, so the job rebuilds it in steps, `roster migrate` at
-- once.
drop index contacts_unindexed;

alter table contacts add column place integer not null default 0;

update contacts set place = placed.place, search_key = null
from (
  select project_id, chatbot_id, id, row_number() over (order by created_at, id) as place from contacts
) as placed
where contacts.project_id = placed.project_id and contacts.chatbot_id = placed.chatbot_id and contacts.id = placed.id;

create index contacts_unindexed on contacts (project_id, chatbot_id, place) where search_key is null;

alter table search_state add column last_place integer not null default 0;

update search_state set last_place = (select coalesce(max(place), 0) from contacts);

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
