-- Contacts that were put into another one: their data for an undo, and their keys, by which imports and programs find the one that
-- stays (docs/decisions/0053). `first_into` is whom a contact was put into, `merged_into` whom it leads to since that one was put into
-- another. `alias` is the external id while it leads there: whoever takes it ends that.
create table merged_contacts (
  project_id text not null,
  chatbot_id text not null,
  id text not null,
  name text,
  email text,
  job_title text,
  phone text,
  website text,
  company text,
  created_at text not null,
  email_key text,
  import_digest text,
  inserted_as text,
  first_name text,
  last_name text,
  industry text,
  address text,
  city text,
  state text,
  postal_code text,
  country text,
  external_id text,
  attributes text,
  tags text,
  updated_at text,
  revision integer not null,
  phone_key text,
  alias text,
  merge_id text not null,
  first_into text not null,
  merged_into text not null,
  merged_at text not null,
  primary key (project_id, chatbot_id, id),
  foreign key (project_id, chatbot_id) references chatbots (project_id, id)
) strict, without rowid;

create index merged_contacts_by_target on merged_contacts (project_id, chatbot_id, merged_into);
create index merged_contacts_by_email on merged_contacts (project_id, chatbot_id, email_key) where email_key is not null;
create index merged_contacts_by_alias on merged_contacts (project_id, chatbot_id, alias) where alias is not null;
create index merged_contacts_by_digest on merged_contacts (project_id, chatbot_id, import_digest)
where import_digest is not null;

-- A merge, with what its repetition answers. `former` has what an undo needs of the contact that stays; null once nobody can undo it.
create table merges (
  project_id text not null,
  chatbot_id text not null,
  id text not null,
  contact_id text not null,
  merged_at text not null,
  request text not null,
  result text not null,
  former text,
  primary key (project_id, chatbot_id, id),
  foreign key (project_id, chatbot_id) references chatbots (project_id, id) on delete cascade
) strict, without rowid;

create index merges_by_contact on merges (project_id, chatbot_id, contact_id);
create index merges_by_age on merges (project_id, chatbot_id, merged_at, id) where former is not null;

create view merge_ages as
select chatbots.project_id, chatbots.id as chatbot_id, (
  select merged_at from merges
  where merges.project_id = chatbots.project_id and merges.chatbot_id = chatbots.id and former is not null
  order by merged_at limit 1
) as oldest
from chatbots;

insert into jobs (name, due_at) values ('forget-merges', strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now', '+10 minutes'));
