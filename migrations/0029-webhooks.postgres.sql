-- The twin of 0029-webhooks.sqlite.sql.
create table webhooks (
  project_id text collate "C" not null references projects (id) on delete cascade,
  id text collate "C" not null,
  url text not null,
  events text not null,
  chatbot_ids text,
  payload text not null,
  description text,
  secret text not null,
  old_secret text,
  old_secret_until text collate "C",
  failing_since text collate "C",
  disabled_reason text,
  last_success_at text collate "C",
  paused_until text collate "C",
  retry_at text collate "C",
  position bigint not null,
  attempts bigint not null default 0,
  created_by_type text not null,
  created_by_id text collate "C" not null,
  created_at text collate "C" not null,
  revision bigint not null,
  primary key (project_id, id)
);

create index webhooks_sending on webhooks (project_id, id) where disabled_reason is null;

create table webhook_deliveries (
  project_id text collate "C" not null,
  webhook_id text collate "C" not null,
  number bigint not null,
  event_id text collate "C" not null,
  sequence bigint not null,
  type text not null,
  attempt integer not null,
  at text collate "C" not null,
  http_status integer,
  reason text,
  duration_ms integer not null,
  next_attempt_at text collate "C",
  outcome text not null,
  primary key (project_id, webhook_id, number),
  foreign key (project_id, webhook_id) references webhooks (project_id, id) on delete cascade
);

create index webhook_deliveries_retrying on webhook_deliveries (project_id, webhook_id, sequence) where outcome = 'retrying';

alter table events add column webhook_id text;

insert into jobs (name, due_at) values ('send-webhooks', to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"'));
