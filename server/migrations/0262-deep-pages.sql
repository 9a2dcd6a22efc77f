-- A page of approved records far from the first is found in the index alone.
drop index time_record_list;
create index time_record_list on time_record (program_id, occurred_at desc, id desc) include (status) where deleted_at is null;
