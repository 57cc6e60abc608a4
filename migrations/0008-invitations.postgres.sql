-- The twin of 0008-invitations.sqlite.sql. Processes of the version before go on: members that they add have neither time.
alter table members add column invited_at text collate "C";
alter table members add column joined_at text collate "C";

create table invitations (
  project_id text collate "C" not null,
  member_id text collate "C" not null,
  token_hash text collate "C" not null,
  expires_at text collate "C" not null,
  primary key (project_id, member_id),
  foreign key (project_id, member_id) references members (project_id, id) on delete cascade
);

-- Asked before the project is known, as that of the API keys; so no row security.
create unique index invitations_by_token on invitations (token_hash);
