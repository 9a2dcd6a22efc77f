-- Records that were edited: few of many, found by who edited them and when.
create index time_record_edited on time_record (program_id, occurred_at desc, id desc) where history <> '[]' and deleted_at is null;
