-- How many contacts all chatbots of a project may have together; 2147483647 is no limit, as for seats and chatbots.
alter table projects add column contacts_max integer not null default 2147483647 check (contacts_max >= 0);
