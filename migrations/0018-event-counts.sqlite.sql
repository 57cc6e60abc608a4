-- An event may tell how many it is about, without naming them: an export.
alter table events add column count integer;
