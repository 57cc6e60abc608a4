-- The twin of 0003-events.sqlite.sql. Processes of the version before go on: they read no event, and members that they
-- add get an id by default.
alter table projects add column last_event bigint not null default 0;

create table events (
  project_id text collate "C" not null references projects (id),
  sequence bigint not null,
  id text collate "C" not null,
  type text not null,
  occurred_at text collate "C" not null,
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
);

create table idempotency_keys (
  project_id text collate "C" not null references projects (id),
  api_key_id text collate "C" not null,
  key_hash text collate "C" not null,
  request_digest text not null,
  result text,
  created_at text collate "C" not null,
  primary key (project_id, api_key_id, key_hash)
);

create index idempotency_keys_by_age on idempotency_keys (project_id, created_at);

-- A UUIDv7: 48 bits of time in place of the first 48 of a random UUID, and version 7 instead of 4.
alter table members add column id text collate "C" not null default encode(
  set_bit(
    set_bit(
      overlay(
        uuid_send(gen_random_uuid())
        placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6
      ),
      52, 1
    ),
    53, 1
  ),
  'hex'
)::uuid::text;

create unique index members_by_id on members (project_id, id);

alter table events enable row level security;
alter table idempotency_keys enable row level security;

create policy tenant on events using (project_id = current_setting('roster.project_id', true));
create policy tenant on idempotency_keys using (project_id = current_setting('roster.project_id', true));
