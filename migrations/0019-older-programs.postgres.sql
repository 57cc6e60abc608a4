-- A transaction of a program that does not know the last migration fails; a migration waits for those that are under way. From
-- here on an older process writes nothing (docs/decisions/0035).
create function require_program(last_known text) returns void language plpgsql set search_path from current as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('roster migrations', 0));
  if exists (select from schema_migrations where name > last_known) then
    raise exception 'a newer program has migrated the database' using errcode = 'RS001';
  end if;
end
$$;
