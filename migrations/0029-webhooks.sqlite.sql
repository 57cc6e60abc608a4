-- Who is told of events (docs/decisions/0059). Lists are JSON. The secret is readable, as signing needs it.
create table webhooks (
  project_id text not null references projects (id) on delete cascade,
  id text not null,
  url text not null,
  events text not null,
  chatbot_ids text,
  payload text not null,
  description text,
  secret text not null,
  old_secret text,
  old_secret_until text,
  failing_since text,
  disabled_reason text,
  last_success_at text,
  paused_until text,
  retry_at text,
  position integer not null,
  attempts integer not null default 0,
  created_by_type text not null,
  created_by_id text not null,
  created_at text not null,
  revision integer not null,
  primary key (project_id, id)
) strict, without rowid;

create index webhooks_sending on webhooks (project_id, id) where disabled_reason is null;

create table webhook_deliveries (
  project_id text not null,
  webhook_id text not null,
  number integer not null,
  event_id text not null,
  sequence integer not null,
  type text not null,
  attempt integer not null,
  at text not null,
  http_status integer,
  reason text,
  duration_ms integer not null,
  next_attempt_at text,
  outcome text not null,
  primary key (project_id, webhook_id, number),
  foreign key (project_id, webhook_id) references webhooks (project_id, id) on delete cascade
) strict, without rowid;

create index webhook_deliveries_retrying on webhook_deliveries (project_id, webhook_id, sequence) where outcome = 'retrying';

alter table events add column webhook_id text;

-- Whoever holds it sends.
insert into jobs (name, due_at) values ('send-webhooks', strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now'));
