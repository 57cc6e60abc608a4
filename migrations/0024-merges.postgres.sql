-- The twin of 0024-merges.sqlite.sql. Processes of the version before write nothing any more.
create table merged_contacts (
  project_id text collate "C" not null,
  chatbot_id text collate "C" not null,
  id text collate "C" not null,
  name text,
  email text,
  job_title text,
  phone text,
  website text,
  company text,
  created_at text collate "C" not null,
  email_key text collate "C",
  import_digest text collate "C",
  inserted_as text collate "C",
  first_name text,
  last_name text,
  industry text,
  address text,
  city text,
  state text,
  postal_code text,
  country text,
  external_id text collate "C",
  attributes text,
  tags text,
  updated_at text collate "C",
  revision bigint not null,
  phone_key text collate "C",
  alias text collate "C",
  merge_id text collate "C" not null,
  first_into text collate "C" not null,
  merged_into text collate "C" not null,
  merged_at text collate "C" not null,
  primary key (project_id, chatbot_id, id),
  foreign key (project_id, chatbot_id) references chatbots (project_id, id)
);

create index merged_contacts_by_target on merged_contacts (project_id, chatbot_id, merged_into);
create index merged_contacts_by_email on merged_contacts (project_id, chatbot_id, email_key) where email_key is not null;
create index merged_contacts_by_alias on merged_contacts (project_id, chatbot_id, alias) where alias is not null;
create index merged_contacts_by_digest on merged_contacts (project_id, chatbot_id, import_digest)
where import_digest is not null;

create table merges (
  project_id text collate "C" not null,
  chatbot_id text collate "C" not null,
  id text collate "C" not null,
  contact_id text collate "C" not null,
  merged_at text collate "C" not null,
  request text not null,
  result text not null,
  former text,
  primary key (project_id, chatbot_id, id),
  foreign key (project_id, chatbot_id) references chatbots (project_id, id) on delete cascade
);

create index merges_by_contact on merges (project_id, chatbot_id, contact_id);
create index merges_by_age on merges (project_id, chatbot_id, merged_at, id) where former is not null;

create view merge_ages as
select chatbots.project_id, chatbots.id as chatbot_id, (
  select merged_at from merges
  where merges.project_id = chatbots.project_id and merges.chatbot_id = chatbots.id and former is not null
  order by merged_at limit 1
) as oldest
from chatbots;

insert into jobs (name, due_at) values ('forget-merges', to_char(now() at time zone 'UTC' + interval '10 minutes', 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"'));
