-- The twin of 0001-initial.sqlite.sql. Collation "C" compares bytes, as SQLite does: lists and ranges come
-- out alike whatever the locale of the server is.
create table projects (
  id text collate "C" not null primary key,
  name text not null,
  created_at text collate "C" not null
);

create table chatbots (
  project_id text collate "C" not null references projects (id),
  id text collate "C" not null,
  name text not null,
  created_at text collate "C" not null,
  primary key (project_id, id)
);

-- Position 0 is the Owner's and nobody else's: so there is at most one, and the list begins with it.
create table members (
  project_id text collate "C" not null references projects (id),
  position integer not null check (position >= 0),
  email text not null,
  email_key text collate "C" not null,
  status text not null check (status in ('Active', 'Pending')),
  roles text not null check (roles <> ''),
  primary key (project_id, position),
  unique (project_id, email_key),
  check ((position = 0) = (roles = 'Owner' or roles like 'Owner,%'))
);

create table contacts (
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
  primary key (project_id, chatbot_id, id),
  check (
    name <> '' and email <> '' and job_title <> '' and phone <> '' and website <> '' and company <> ''
  )
);

-- A chatbot has one project: without this the planner takes the two for independent, and a large chatbot for small.
create statistics contacts_owner (dependencies) on project_id, chatbot_id from contacts;

create index contacts_by_email on contacts (project_id, chatbot_id, email_key) where email_key is not null;

create index contacts_by_digest on contacts (project_id, chatbot_id, import_digest)
where import_digest is not null;

create table api_keys (
  project_id text collate "C" not null references projects (id),
  id text collate "C" not null,
  name text not null,
  scopes text not null check (scopes <> ''),
  token_hash text collate "C" not null,
  last4 text not null,
  created_at text collate "C" not null,
  last_used_at text,
  expires_at text,
  revoked_at text,
  replaced_by text,
  primary key (project_id, id)
);

-- The one question that is asked before the project is known.
create unique index api_keys_by_token on api_keys (token_hash);

-- The Owner cannot be lost, whoever writes: not by removal, not by an update that moves the role away.
create function members_keep_owner() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'the Owner of a project cannot be removed';
  end if;
  if new.position <> 0 or new.project_id <> old.project_id then
    raise exception 'the Owner of a project cannot lose the role';
  end if;
  return new;
end
$$;

create trigger members_keep_owner before update or delete on members
for each row when (old.position = 0) execute function members_keep_owner();

-- What a foreign key from contacts to chatbots would hold, a statement at a time: one that asks and locks for
-- each row makes an import take 1.7 times as long.
create function contacts_need_chatbot() returns trigger language plpgsql set search_path from current as $$
begin
  perform 1 from chatbots
  where (project_id, id) in (select project_id, chatbot_id from added)
  for key share;
  if exists (
    select 1 from (select distinct project_id, chatbot_id from added) as owner
    where not exists (
      select 1 from chatbots where chatbots.project_id = owner.project_id and chatbots.id = owner.chatbot_id
    )
  ) then
    raise exception 'a contact needs a chatbot that exists';
  end if;
  return null;
end
$$;

create trigger contacts_need_chatbot after insert on contacts
referencing new table as added for each statement execute function contacts_need_chatbot();

create function contacts_stay() returns trigger language plpgsql as $$
begin
  raise exception 'a contact cannot be moved to another chatbot';
end
$$;

create trigger contacts_stay before update on contacts
for each row when (new.project_id <> old.project_id or new.chatbot_id <> old.chatbot_id)
execute function contacts_stay();

create function chatbots_stay() returns trigger language plpgsql set search_path from current as $$
begin
  if exists (select 1 from contacts where project_id = old.project_id and chatbot_id = old.id) then
    raise exception 'a chatbot that has contacts cannot be removed';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;

create trigger chatbots_stay before delete or update of project_id, id on chatbots
for each row execute function chatbots_stay();

-- The second line of defence (ROSTER_ROW_SECURITY): a role that does not own the tables sees the rows of one
-- project, whatever it asks. Their owner, who migrates, imports and dumps, is not bound by it.
alter table projects enable row level security;
alter table chatbots enable row level security;
alter table members enable row level security;
alter table contacts enable row level security;

create policy tenant on projects using (id = current_setting('roster.project_id', true));
create policy tenant on chatbots using (project_id = current_setting('roster.project_id', true));
create policy tenant on members using (project_id = current_setting('roster.project_id', true));
create policy tenant on contacts using (project_id = current_setting('roster.project_id', true));
