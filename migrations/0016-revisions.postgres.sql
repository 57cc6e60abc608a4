-- The twin of 0016-revisions.sqlite.sql. The default is that of this moment for what is there, so no row is written.
alter table projects add column revision bigint not null default (extract(epoch from now()) * 1000)::bigint;
alter table chatbots add column revision bigint not null default (extract(epoch from now()) * 1000)::bigint;
alter table members add column revision bigint not null default (extract(epoch from now()) * 1000)::bigint;
alter table contacts add column revision bigint not null default (extract(epoch from now()) * 1000)::bigint;
alter table deleted_contacts add column revision bigint not null default (extract(epoch from now()) * 1000)::bigint;
