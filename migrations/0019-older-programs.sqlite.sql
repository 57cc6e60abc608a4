-- Nothing changes here: on SQLite each transaction reads the last migration itself.
select 1;
