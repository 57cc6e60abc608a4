-- The twin of 0014-makers.sqlite.sql.
alter table api_keys add column created_by_type text collate "C";
alter table api_keys add column created_by_id text collate "C";
alter table invitations add column created_by_type text collate "C";
alter table invitations add column created_by_id text collate "C";

with made as materialized (
  select project_id, key_id, actor_type, actor_id from events where type = 'key.created'
)
update api_keys set created_by_type = made.actor_type, created_by_id = made.actor_id
from made where made.project_id = api_keys.project_id and made.key_id = api_keys.id;

with made as materialized (
  select distinct on (project_id, member_id) project_id, member_id, actor_type, actor_id from events
  where type = 'member.invited' and member_id is not null order by project_id, member_id, sequence desc
)
update invitations set created_by_type = made.actor_type, created_by_id = made.actor_id
from made where made.project_id = invitations.project_id and made.member_id = invitations.member_id;
