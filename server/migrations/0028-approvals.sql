-- Absences are no hours: the counts of the insight tabs leave their minutes out, still from this index alone.
drop index time_record_pending;
create index time_record_pending on time_record (program_id, insight, occurred_at desc, id desc)
  include (is_matched, minutes, kind) where status = 'pending' and deleted_at is null;

-- A punch without its other half cannot be approved. Those that were wait for it again.
update time_record set status = 'pending', decided_at = null, decided_by = null
  where kind in ('in', 'out') and partner_id is null and status = 'approved' and deleted_at is null;
