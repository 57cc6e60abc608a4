-- An event may tell the receipt of the erasure that it records.
alter table events add column receipt_id text;
