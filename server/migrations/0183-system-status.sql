-- How the last checks of the parts of the installation ended: by the worker every quarter of an hour, and by whoever tests one.

create table system_check (
  part text primary key check (length(part) <= 40),
  last_success_at timestamptz,
  last_error_at timestamptz,
  last_error text not null default ''
);

create function note_system_check(of_part text, error text) returns void language sql as $$
  insert into system_check as c (part, last_success_at, last_error_at, last_error)
  values (of_part, case when error = '' then clock_timestamp() end, case when error <> '' then clock_timestamp() end, error)
  on conflict (part) do update set last_success_at = coalesce(excluded.last_success_at, c.last_success_at),
    last_error_at = coalesce(excluded.last_error_at, c.last_error_at),
    last_error = case when error = '' then c.last_error else error end
$$;

-- Checked parts that fail, for whoever watches the installation. A part that nothing has checked for an hour was taken away, or the
-- worker was.
create function count_failing_checks() returns table (part text, failing bigint)
  language sql stable as $$
  select c.part, count(*) filter (where c.last_error_at > coalesce(c.last_success_at, '-infinity'))
  from system_check c where greatest(c.last_success_at, c.last_error_at) > now() - interval '1 hour' group by c.part
$$;
