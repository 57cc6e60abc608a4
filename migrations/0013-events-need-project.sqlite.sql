-- Nothing changes here: SQLite asks for the project of each event at little cost.
select 1;
