-- Members but the Owner, who has 0, are numbered from 1 without gaps, so that how many there are and where a
-- page begins is found by key (docs/decisions/0012). Where a project has a gap, this says so.
alter table projects add column members_have_gaps integer not null default 0
check (members_have_gaps in (0, 1));

-- By way of numbers that nobody has: else one would meet another who is still to be moved.
update members set position = 1000000000 + places.place
from (
  select project_id, email_key, row_number() over (partition by project_id order by position) as place
  from members where position > 0
) as places
where members.project_id = places.project_id and members.email_key = places.email_key
  and members.position <> places.place;

update members set position = position - 1000000000 where position > 1000000000;

-- Whoever writes: while this is 0 there is no gap. It may be 1 without one.
create trigger members_note_insert after insert on members
when new.position > 1 and not exists (
  select 1 from members where project_id = new.project_id and position = new.position - 1
)
begin
  update projects set members_have_gaps = 1 where id = new.project_id and members_have_gaps = 0;
end;

create trigger members_note_move after update of project_id, position on members
when new.position <> old.position or new.project_id <> old.project_id
begin
  update projects set members_have_gaps = 1
  where id in (old.project_id, new.project_id) and members_have_gaps = 0;
end;

create trigger members_note_delete after delete on members
begin
  update projects set members_have_gaps = 1 where id = old.project_id and members_have_gaps = 0;
end;
