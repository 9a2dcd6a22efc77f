-- Records for which a time change waits: few, and left out of what can be approved together.
create index time_record_asked on time_record (program_id) include (id, partner_id)
  where change_status = 'asked' and deleted_at is null;
