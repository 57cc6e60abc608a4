-- The image runs this once, on an empty volume: a role that owns the database of Roster and is no superuser.
\getenv password POSTGRES_PASSWORD
create role roster login password :'password';
create database roster owner roster encoding 'UTF8' template template0;
-- Without a password the superuser is reached inside the container alone.
alter role postgres password null;
