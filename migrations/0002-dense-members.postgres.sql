-- The twin of 0002-dense-members.sqlite.sql. Processes of the version before go on: they count and skip, which
-- dense positions do not change, and what an import of theirs leaves behind is noted by the triggers. Nobody
-- writes members while they are numbered; everybody reads them.
lock table members in share row exclusive mode;

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

-- Whoever writes: while this is 0 there is no gap. It may be 1 without one. The row of the project is locked first, even
-- where it is 1 already: whoever closes gaps holds it, and has not seen what is written meanwhile.
create function members_note_insert() returns trigger language plpgsql set search_path from current as $$
begin
  perform 1 from projects where id in (select project_id from added) for no key update;
  update projects set members_have_gaps = 1 where id in (
    select project_id from added where position > 1 and not exists (
      select 1 from members
      where members.project_id = added.project_id and members.position = added.position - 1
    )
  );
  return null;
end
$$;

create trigger members_note_insert after insert on members
referencing new table as added for each statement execute function members_note_insert();

create function members_note_move() returns trigger language plpgsql set search_path from current as $$
begin
  update projects set members_have_gaps = 1 where id in (
    (select project_id from (select project_id, position from gone except select project_id, position from added) as empty)
    union all
    (select project_id from (select project_id, position from added except select project_id, position from gone) as taken)
  );
  return null;
end
$$;

create trigger members_note_move after update on members
referencing old table as gone new table as added for each statement execute function members_note_move();

create function members_note_delete() returns trigger language plpgsql set search_path from current as $$
begin
  update projects set members_have_gaps = 1 where id in (select project_id from gone);
  return null;
end
$$;

create trigger members_note_delete after delete on members
referencing old table as gone for each statement execute function members_note_delete();
