-- Nothing changes here: SQLite has no roles.
select 1;
