-- Live updates: whoever changes something tells every process, in the transaction that changes it (server/core/live.ts).
-- A message names what and whose, never the content: kind:program:account, or kind:session.

create function tell_notifications() returns trigger language plpgsql as $$
begin
  -- A letter to hundreds is one message to the whole program (account 0).
  perform pg_notify('practicum_live', 'notifications:' || each.program_id || ':' || account)
  from (select program_id, array_agg(distinct account_id) as accounts from changed group by program_id) as each
  cross join lateral unnest(
    case when cardinality(each.accounts) > 100 then array[0::bigint] else each.accounts end) as account;
  return null;
end $$;
create trigger tell_added after insert on notification
  referencing new table as changed for each statement execute function tell_notifications();
create trigger tell_changed after update on notification
  referencing new table as changed for each statement execute function tell_notifications();

-- Punches, of which there are many at once, are told by the process that kept them, after their commit. The same
-- message is sent once a transaction, whatever the number of its rows.
create function tell_time_record() returns trigger language plpgsql as $$
begin
  perform pg_notify('practicum_live', 'time-records:' || new.program_id || ':0');
  return null;
end $$;
create trigger tell_added after insert on time_record
  for each row when (new.idempotency_key is null) execute function tell_time_record();

create function tell_ended_session() returns trigger language plpgsql as $$
begin
  perform pg_notify('practicum_live', 'session:' || new.id);
  return null;
end $$;
create trigger tell_ended after update of ended_at on session
  for each row when (old.ended_at is null and new.ended_at is not null) execute function tell_ended_session();

-- Assignments of an import are removed by its undo (interface 6).
alter table shift_assignment add column import_id bigint references import_run;
create index shift_assignment_import on shift_assignment (program_id, import_id) where import_id is not null;
