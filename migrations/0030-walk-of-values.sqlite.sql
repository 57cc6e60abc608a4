-- Nothing changes here: SQLite walks no places for words.
select 1;
