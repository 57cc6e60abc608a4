-- The twin of 0021-no-dense-members.sqlite.sql. Programs of the version before read none of this either.
drop trigger members_note_insert on members;
drop trigger members_note_move on members;
drop trigger members_note_delete on members;
drop function members_note_insert, members_note_move, members_note_delete;
alter table projects drop column members_have_gaps;

update members set position = position + 1000000000 where position > 0;
