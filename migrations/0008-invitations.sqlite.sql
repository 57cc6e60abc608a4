-- When a member was invited and when they joined; null for whoever was there before.
alter table members add column invited_at text;
alter table members add column joined_at text;

-- The link of a Pending member: only the hash of its token is kept. A new link takes the place of the old one.
create table invitations (
  project_id text not null,
  member_id text not null,
  token_hash text not null,
  expires_at text not null,
  primary key (project_id, member_id),
  foreign key (project_id, member_id) references members (project_id, id) on delete cascade
) strict, without rowid;

-- Asked before the project is known, as that of the API keys.
create unique index invitations_by_token on invitations (token_hash);
