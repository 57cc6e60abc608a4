-- Every change is recorded in its own commit, numbered without gaps in its project (docs/decisions/0020).
alter table projects add column last_event integer not null default 0;

create table events (
  project_id text not null references projects (id),
  sequence integer not null,
  id text not null,
  type text not null,
  occurred_at text not null,
  actor_type text not null,
  actor_id text not null,
  request_id text,
  chatbot_id text,
  contact_id text,
  contact_ids text,
  member_id text,
  member_ids text,
  key_id text,
  changed text,
  primary key (project_id, sequence)
) strict, without rowid;

-- A repeated request finds here what the first one did. Key and request are digests; the result holds no personal data.
create table idempotency_keys (
  project_id text not null references projects (id),
  api_key_id text not null,
  key_hash text not null,
  request_digest text not null,
  result text,
  created_at text not null,
  primary key (project_id, api_key_id, key_hash)
) strict, without rowid;

create index idempotency_keys_by_age on idempotency_keys (project_id, created_at);

-- Events name members by id: a UUIDv7 of this moment for those who are there already.
alter table members add column id text;

update members set id = lower(
  substr(printf('%012x', cast(unixepoch('subsec') * 1000 as integer)), 1, 8) || '-'
  || substr(printf('%012x', cast(unixepoch('subsec') * 1000 as integer)), 9) || '-7'
  || substr(hex(randomblob(2)), 2) || '-'
  || substr('89ab', 1 + (random() & 3), 1) || substr(hex(randomblob(2)), 2) || '-'
  || hex(randomblob(6))
);

create unique index members_by_id on members (project_id, id);
