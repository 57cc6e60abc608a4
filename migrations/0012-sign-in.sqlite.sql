-- Who is signed in to the console: only the hash of a session's token is kept. A row means nothing without its member,
-- who has the roles of that time still.
create table sessions (
  project_id text not null,
  id text not null,
  member_id text not null,
  token_hash text not null,
  method text not null check (method in ('link', 'passkey', 'invitation')),
  roles text not null,
  user_agent text,
  created_at text not null,
  last_used_at text not null,
  verified_at text not null,
  expires_at text not null,
  primary key (project_id, id)
) strict, without rowid;

-- Asked before the project is known, as that of the API keys.
create unique index sessions_by_token on sessions (token_hash);
create index sessions_by_member on sessions (project_id, member_id);

-- A link that signs a member in, once. An empty member is somebody who becomes the Owner, perhaps of a new project.
-- `verified_at` is when a member who made it for themselves had proved who they are.
create table sign_in_links (
  project_id text not null,
  member_id text not null,
  token_hash text not null,
  verified_at text,
  expires_at text not null,
  primary key (project_id, member_id)
) strict, without rowid;

create unique index sign_in_links_by_token on sign_in_links (token_hash);

-- `challenged_at` is when the last accepted challenge was made (epoch, ms): an older one is a replay.
create table passkeys (
  project_id text not null,
  id text not null,
  member_id text not null,
  name text not null,
  credential_id text not null,
  public_key text not null,
  sign_count integer not null,
  transports text not null,
  challenged_at integer not null,
  created_at text not null,
  last_used_at text,
  primary key (project_id, id)
) strict, without rowid;

create unique index passkeys_by_credential on passkeys (credential_id);
create index passkeys_by_member on passkeys (project_id, member_id);

-- Signs the challenges of this installation, so that none need be stored.
create table sign_in_secret (secret text not null) strict;
insert into sign_in_secret (secret) values (lower(hex(randomblob(32))));
