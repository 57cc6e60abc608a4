-- The twin of 0006-contact-fields.sqlite.sql. Processes of the version before go on: what they add has none of the new
-- fields, and the triggers count it. Nobody writes contacts meanwhile; everybody reads them.
lock table contacts in share row exclusive mode;

alter table contacts
  add column first_name text check (first_name <> ''),
  add column last_name text check (last_name <> ''),
  add column industry text check (industry <> ''),
  add column address text check (address <> ''),
  add column city text check (city <> ''),
  add column state text check (state <> ''),
  add column postal_code text check (postal_code <> ''),
  add column country text check (country <> ''),
  add column external_id text collate "C" check (external_id <> ''),
  add column attributes text check (attributes <> ''),
  add column tags text check (tags <> ''),
  add column updated_at text collate "C",
  add column phone_key text collate "C";

update contacts set phone_key = nullif(regexp_replace(phone, '[^0-9]', '', 'g'), '') where phone is not null;

create index contacts_by_age on contacts (project_id, chatbot_id, created_at, id);

create index contacts_by_phone on contacts (project_id, chatbot_id, phone_key) where phone_key is not null;

create unique index contacts_by_external_id on contacts (project_id, chatbot_id, external_id)
where external_id is not null;

create table deleted_contacts (
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
  phone_key text collate "C",
  deleted_at text collate "C" not null,
  primary key (project_id, chatbot_id, id),
  foreign key (project_id, chatbot_id) references chatbots (project_id, id)
);

create index deleted_contacts_by_age on deleted_contacts (project_id, chatbot_id, deleted_at, id);

alter table deleted_contacts enable row level security;
create policy tenant on deleted_contacts using (project_id = current_setting('roster.project_id', true));

alter table chatbots
  add column contacts_added bigint not null default 0,
  add column contacts_removed bigint not null default 0;

update chatbots set contacts_added = (
  select count(*) from contacts where contacts.project_id = chatbots.project_id and contacts.chatbot_id = chatbots.id
);

-- Programs that keep updated_at count whom they add by themselves.
create function contacts_count_added() returns trigger language plpgsql set search_path from current as $$
begin
  update chatbots set contacts_added = contacts_added + new_ones.number
  from (select project_id, chatbot_id, count(*) as number from added where updated_at is null
    group by project_id, chatbot_id) as new_ones
  where chatbots.project_id = new_ones.project_id and chatbots.id = new_ones.chatbot_id;
  return null;
end
$$;

create trigger contacts_count_added after insert on contacts
referencing new table as added for each statement execute function contacts_count_added();

create function contacts_count_removed() returns trigger language plpgsql set search_path from current as $$
begin
  update chatbots set contacts_removed = contacts_removed + old_ones.number
  from (select project_id, chatbot_id, count(*) as number from gone group by project_id, chatbot_id) as old_ones
  where chatbots.project_id = old_ones.project_id and chatbots.id = old_ones.chatbot_id;
  return null;
end
$$;

create trigger contacts_count_removed after delete on contacts
referencing old table as gone for each statement execute function contacts_count_removed();
