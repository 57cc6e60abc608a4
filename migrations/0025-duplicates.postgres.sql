-- The twin of 0025-duplicates.sqlite.sql.
create table duplicate_keys (
  project_id text collate "C" not null,
  chatbot_id text collate "C" not null,
  contact_id text collate "C" not null,
  email bigint not null,
  phone bigint not null,
  name bigint not null,
  company bigint not null,
  domain bigint not null,
  is_stale smallint not null default 0,
  primary key (project_id, chatbot_id, contact_id),
  foreign key (project_id, chatbot_id, contact_id) references contacts (project_id, chatbot_id, id) on delete cascade
);

create index duplicate_keys_by_email on duplicate_keys (project_id, chatbot_id, email) where email <> 0;
create index duplicate_keys_by_phone on duplicate_keys (project_id, chatbot_id, phone) where phone <> 0;
create index duplicate_keys_by_company on duplicate_keys (project_id, chatbot_id, company) where company <> 0;
create index duplicate_keys_by_domain on duplicate_keys (project_id, chatbot_id, domain) where domain <> 0;

create index duplicate_keys_stale on duplicate_keys (project_id, chatbot_id, contact_id) where is_stale = 1;

create function duplicate_keys_leave_stale() returns trigger language plpgsql set search_path from current as $$
begin
  update duplicate_keys set is_stale = 1
  where project_id = old.project_id and chatbot_id = old.chatbot_id and contact_id in (
    select contact_id from (
      select contact_id from duplicate_keys
      where project_id = old.project_id and chatbot_id = old.chatbot_id and email = old.email and email <> 0 limit 1
    ) as by_email
    union
    select contact_id from (
      select contact_id from duplicate_keys
      where project_id = old.project_id and chatbot_id = old.chatbot_id and phone = old.phone and phone <> 0 limit 1
    ) as by_phone
    union
    select contact_id from (
      select contact_id from duplicate_keys
      where project_id = old.project_id and chatbot_id = old.chatbot_id and company = old.company and company <> 0 limit 1
    ) as by_company
    union
    select contact_id from (
      select contact_id from duplicate_keys
      where project_id = old.project_id and chatbot_id = old.chatbot_id and domain = old.domain and domain <> 0 limit 1
    ) as by_domain
  );
  return null;
end
$$;

create trigger duplicate_keys_leave_stale after delete on duplicate_keys
for each row execute function duplicate_keys_leave_stale();

-- Two contacts who may be one person. Band 0 is certain, 1 is likely; `reasons` has a bit for each.
create table duplicate_pairs (
  project_id text collate "C" not null,
  chatbot_id text collate "C" not null,
  one_id text collate "C" not null,
  other_id text collate "C" not null,
  band smallint not null,
  reasons smallint not null,
  primary key (project_id, chatbot_id, one_id, other_id),
  foreign key (project_id, chatbot_id, one_id) references duplicate_keys on delete cascade,
  foreign key (project_id, chatbot_id, other_id) references duplicate_keys on delete cascade
);

create index duplicate_pairs_by_other on duplicate_pairs (project_id, chatbot_id, other_id, band, reasons);
create index duplicate_pairs_by_band on duplicate_pairs (project_id, chatbot_id, band, one_id, other_id);

-- Two contacts whom somebody knows to be two people, whether they are in the bin or not.
create table dismissed_duplicates (
  project_id text collate "C" not null,
  chatbot_id text collate "C" not null,
  one_id text collate "C" not null,
  other_id text collate "C" not null,
  primary key (project_id, chatbot_id, one_id, other_id),
  foreign key (project_id, chatbot_id) references chatbots (project_id, id) on delete cascade
);

create index dismissed_duplicates_by_other on dismissed_duplicates (project_id, chatbot_id, other_id);

-- The last event that counts, once all contacts are looked through; until then, the last contact that was.
create table duplicate_progress (
  project_id text collate "C" not null primary key references projects (id) on delete cascade,
  counted bigint not null,
  chatbot_id text collate "C",
  contact_id text collate "C"
);

insert into jobs (name, due_at) values ('find-duplicates', to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"'));
