-- Marks the file as Roster's ("Rstr"), so that no other program's file is taken for one.
pragma application_id = 1383298162;

-- Times are text in the interface's form, which sorts; lists of a small closed set are one text;
-- whatever belongs to a project has it as the first column of every key. Tables without a row id are
-- stored in the order of that key: a look-up walks one tree, not two.
create table projects (
  id text not null primary key,
  name text not null,
  created_at text not null
) strict, without rowid;

create table chatbots (
  project_id text not null references projects (id),
  id text not null,
  name text not null,
  created_at text not null,
  primary key (project_id, id)
) strict, without rowid;

-- Position 0 is the Owner's and nobody else's: so there is at most one, and the list begins with it.
create table members (
  project_id text not null references projects (id),
  position integer not null check (position >= 0),
  email text not null,
  email_key text not null,
  status text not null check (status in ('Active', 'Pending')),
  roles text not null check (roles <> ''),
  primary key (project_id, position),
  unique (project_id, email_key),
  check ((position = 0) = (roles = 'Owner' or roles like 'Owner,%'))
) strict, without rowid;

create table contacts (
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
  primary key (project_id, chatbot_id, id),
  foreign key (project_id, chatbot_id) references chatbots (project_id, id),
  check (
    name <> '' and email <> '' and job_title <> '' and phone <> '' and website <> '' and company <> ''
  )
) strict, without rowid;

create index contacts_by_email on contacts (project_id, chatbot_id, email_key) where email_key is not null;

create index contacts_by_digest on contacts (project_id, chatbot_id, import_digest)
where import_digest is not null;

create table api_keys (
  project_id text not null references projects (id),
  id text not null,
  name text not null,
  scopes text not null check (scopes <> ''),
  token_hash text not null,
  last4 text not null,
  created_at text not null,
  last_used_at text,
  expires_at text,
  revoked_at text,
  replaced_by text,
  primary key (project_id, id)
) strict, without rowid;

-- The one question that is asked before the project is known.
create unique index api_keys_by_token on api_keys (token_hash);

-- The Owner cannot be lost, whoever writes: not by removal, not by an update that moves the role away.
create trigger members_keep_owner before delete on members when old.position = 0
begin
  select raise(abort, 'the Owner of a project cannot be removed');
end;

create trigger members_keep_owner_role before update on members
when old.position = 0 and (new.position <> 0 or new.project_id <> old.project_id)
begin
  select raise(abort, 'the Owner of a project cannot lose the role');
end;
