-- Names are what the interface calls them. Attributes are a JSON object, tags a list with commas; null where there are none.
alter table contacts add column first_name text check (first_name <> '');
alter table contacts add column last_name text check (last_name <> '');
alter table contacts add column industry text check (industry <> '');
alter table contacts add column address text check (address <> '');
alter table contacts add column city text check (city <> '');
alter table contacts add column state text check (state <> '');
alter table contacts add column postal_code text check (postal_code <> '');
alter table contacts add column country text check (country <> '');
alter table contacts add column external_id text check (external_id <> '');
alter table contacts add column attributes text check (attributes <> '');
alter table contacts add column tags text check (tags <> '');
alter table contacts add column updated_at text;
-- The digits of the phone.
alter table contacts add column phone_key text;

update contacts set phone_key = nullif((
  with recursive rest (digits, text) as (
    select '', contacts.phone
    union all
    select digits || case when substr(text, 1, 1) between '0' and '9' then substr(text, 1, 1) else '' end, substr(text, 2)
    from rest where text <> ''
  )
  select digits from rest where text = ''
), '')
where phone is not null;

create index contacts_by_age on contacts (project_id, chatbot_id, created_at, id);

create index contacts_by_phone on contacts (project_id, chatbot_id, phone_key) where phone_key is not null;

create unique index contacts_by_external_id on contacts (project_id, chatbot_id, external_id)
where external_id is not null;

-- The bin. In a table of its own, so that no read of contacts and no index carries deleted people.
create table deleted_contacts (
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
  phone_key text,
  deleted_at text not null,
  primary key (project_id, chatbot_id, id),
  foreign key (project_id, chatbot_id) references chatbots (project_id, id)
) strict, without rowid;

create index deleted_contacts_by_age on deleted_contacts (project_id, chatbot_id, deleted_at, id);

-- Contacts of a chatbot = added - removed. The sum of both changes whenever somebody comes or goes.
alter table chatbots add column contacts_added integer not null default 0;
alter table chatbots add column contacts_removed integer not null default 0;

update chatbots set contacts_added = (
  select count(*) from contacts where contacts.project_id = chatbots.project_id and contacts.chatbot_id = chatbots.id
);

-- Whoever adds contacts counts them, once a transaction. With a trigger SQLite would keep a journal of each insertion,
-- which made an import take half as long again. An import of the version before that runs meanwhile is not counted.
create trigger contacts_count_removed after delete on contacts
begin
  update chatbots set contacts_removed = contacts_removed + 1 where project_id = old.project_id and id = old.chatbot_id;
end;
