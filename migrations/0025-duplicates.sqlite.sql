-- What a contact has in common with others, as digests: a suggestion of duplicates needs no value
-- (docs/decisions/0054). 0 is none.
create table duplicate_keys (
  project_id text not null,
  chatbot_id text not null,
  contact_id text not null,
  email integer not null,
  phone integer not null,
  name integer not null,
  company integer not null,
  domain integer not null,
  primary key (project_id, chatbot_id, contact_id),
  foreign key (project_id, chatbot_id, contact_id) references contacts (project_id, chatbot_id, id) on delete cascade
) strict, without rowid;

create index duplicate_keys_by_email on duplicate_keys (project_id, chatbot_id, email) where email <> 0;
create index duplicate_keys_by_phone on duplicate_keys (project_id, chatbot_id, phone) where phone <> 0;
create index duplicate_keys_by_company on duplicate_keys (project_id, chatbot_id, company) where company <> 0;
create index duplicate_keys_by_domain on duplicate_keys (project_id, chatbot_id, domain) where domain <> 0;

-- Two contacts who may be one person. Band 0 is certain, 1 is likely; `reasons` has a bit for each.
create table duplicate_pairs (
  project_id text not null,
  chatbot_id text not null,
  one_id text not null,
  other_id text not null,
  band integer not null,
  reasons integer not null,
  primary key (project_id, chatbot_id, one_id, other_id),
  foreign key (project_id, chatbot_id, one_id) references duplicate_keys on delete cascade,
  foreign key (project_id, chatbot_id, other_id) references duplicate_keys on delete cascade
) strict, without rowid;

-- Holds all that a query wants, as SQLite would take the beginning of the primary key otherwise: all pairs of the chatbot.
create index duplicate_pairs_by_other on duplicate_pairs (project_id, chatbot_id, other_id, band, reasons);
create index duplicate_pairs_by_band on duplicate_pairs (project_id, chatbot_id, band, one_id, other_id);

-- Two contacts whom somebody knows to be two people, whether they are in the bin or not.
create table dismissed_duplicates (
  project_id text not null,
  chatbot_id text not null,
  one_id text not null,
  other_id text not null,
  primary key (project_id, chatbot_id, one_id, other_id),
  foreign key (project_id, chatbot_id) references chatbots (project_id, id) on delete cascade
) strict, without rowid;

create index dismissed_duplicates_by_other on dismissed_duplicates (project_id, chatbot_id, other_id);

-- The last event that counts, once all contacts are looked through; until then, the last contact that was.
create table duplicate_progress (
  project_id text not null primary key references projects (id) on delete cascade,
  counted integer not null,
  chatbot_id text,
  contact_id text
) strict, without rowid;

insert into jobs (name, due_at) values ('find-duplicates', strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now'));
