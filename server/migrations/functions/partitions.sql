-- Makes the partitions of all months through a moment. The last one has no end; while it is empty it gives way to months, and what
-- was written to it because nobody made them becomes one partition of several months.
create or replace function make_partitions_through(through timestamptz) returns integer
language plpgsql set search_path = public set timezone = 'UTC' as $$
declare
  of record;
  first_moment timestamptz;
  next_moment timestamptz;
  last_moment timestamptz;
  made integer := 0;
begin
  -- Two workers may come at once.
  perform pg_advisory_xact_lock(hashtext('practicum partitions'));
  for of in select * from (values ('audit', 'at'), ('mail', 'created_at')) as x (kind, moment) loop
    loop
      select substring(pg_get_expr(c.relpartbound, c.oid) from 'FROM \(''([^'']+)''\)')::timestamptz into first_moment
        from pg_class c where c.oid = format('partition.%I', of.kind || '_ahead')::regclass;
      exit when first_moment > through;
      -- Nothing may arrive between the look and the change.
      execute format('lock table %I in access exclusive mode', of.kind);
      execute format('select max(%I) from partition.%I', of.moment, of.kind || '_ahead') into last_moment;
      next_moment := date_trunc('month', greatest(first_moment, last_moment)) + interval '1 month';
      execute format('alter table %I detach partition partition.%I', of.kind, of.kind || '_ahead');
      execute format('alter table partition.%I rename to %I', of.kind || '_ahead', of.kind || to_char(first_moment, '_YYYY_MM'));
      execute format('alter table %I attach partition partition.%I for values from (%L) to (%L)',
        of.kind, of.kind || to_char(first_moment, '_YYYY_MM'), first_moment, next_moment);
      execute format('create table partition.%I partition of %I for values from (%L) to (maxvalue)',
        of.kind || '_ahead', of.kind, next_moment);
      execute format('alter table partition.%I enable row level security', of.kind || '_ahead');
      made := made + 1;
    end loop;
  end loop;
  return made;
end $$;
revoke all on function make_partitions_through from public;

-- What the worker may do: make those of the next months, and nothing else.
create or replace function make_partitions() returns integer
language sql security definer set search_path = public, pg_temp as $$
  select make_partitions_through(now() + interval '3 months')
$$;
