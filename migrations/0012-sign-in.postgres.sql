-- The twin of 0012-sign-in.sqlite.sql. Processes of the version before know nothing of sessions.
create table sessions (
  project_id text collate "C" not null,
  id text collate "C" not null,
  member_id text collate "C" not null,
  token_hash text collate "C" not null,
  method text collate "C" not null check (method in ('link', 'passkey', 'invitation')),
  roles text collate "C" not null,
  user_agent text collate "C",
  created_at text collate "C" not null,
  last_used_at text collate "C" not null,
  verified_at text collate "C" not null,
  expires_at text collate "C" not null,
  primary key (project_id, id)
);

-- Asked before the project is known, as that of the API keys; so no row security, here and below.
create unique index sessions_by_token on sessions (token_hash);
create index sessions_by_member on sessions (project_id, member_id);

create table sign_in_links (
  project_id text collate "C" not null,
  member_id text collate "C" not null,
  token_hash text collate "C" not null,
  verified_at text collate "C",
  expires_at text collate "C" not null,
  primary key (project_id, member_id)
);

create unique index sign_in_links_by_token on sign_in_links (token_hash);

create table passkeys (
  project_id text collate "C" not null,
  id text collate "C" not null,
  member_id text collate "C" not null,
  name text collate "C" not null,
  credential_id text collate "C" not null,
  public_key text collate "C" not null,
  sign_count bigint not null,
  transports text collate "C" not null,
  challenged_at bigint not null,
  created_at text collate "C" not null,
  last_used_at text collate "C",
  primary key (project_id, id)
);

create unique index passkeys_by_credential on passkeys (credential_id);
create index passkeys_by_member on passkeys (project_id, member_id);

create table sign_in_secret (secret text collate "C" not null);
insert into sign_in_secret (secret) values (gen_random_uuid()::text || gen_random_uuid()::text);
