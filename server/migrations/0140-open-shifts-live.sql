-- Staff who look at open shifts see them fill up: whoever opens one or changes how full it is tells so, by hand, by sign-up or by a waiting list.
create function tell_open_shifts() returns trigger language plpgsql as $$
begin
  perform pg_notify('practicum_live', 'open-shifts:' || each.program_id || ':0')
  from (select distinct program_id from changed) as each;
  return null;
end $$;
create trigger tell_added after insert on open_shift
  referencing new table as changed for each statement execute function tell_open_shifts();
create trigger tell_changed after update on open_shift
  referencing new table as changed for each statement execute function tell_open_shifts();
