-- Who made a key, and who made the link of an invitation, as events name their actor. Null where no event says it.
alter table api_keys add column created_by_type text;
alter table api_keys add column created_by_id text;
alter table invitations add column created_by_type text;
alter table invitations add column created_by_id text;

with made as materialized (
  select project_id, key_id, actor_type, actor_id from events where type = 'key.created'
)
update api_keys set created_by_type = made.actor_type, created_by_id = made.actor_id
from made where made.project_id = api_keys.project_id and made.key_id = api_keys.id;

-- With max(sequence), SQLite takes the other columns from the row that has it: the last link is the one that works.
with made as materialized (
  select project_id, member_id, actor_type, actor_id, max(sequence) from events
  where type = 'member.invited' and member_id is not null group by project_id, member_id
)
update invitations set created_by_type = made.actor_type, created_by_id = made.actor_id
from made where made.project_id = invitations.project_id and made.member_id = invitations.member_id;
