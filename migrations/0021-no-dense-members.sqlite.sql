-- Nothing reads it: members are listed by their positions, with or without gaps.
drop trigger members_note_insert;
drop trigger members_note_move;
drop trigger members_note_delete;
alter table projects drop column members_have_gaps;

-- A former Owner goes before the others: now there is room for as many as there will be.
update members set position = position + 1000000000 where position > 0;
