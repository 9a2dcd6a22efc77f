create or replace function feature_use(of_programs bigint[]) returns table (
  program_id bigint, feature text, is_used boolean, times integer, recipients integer, sent_at timestamptz, sent_by text
) language sql stable security definer set search_path = public, pg_temp as $$
  select p.id, f.feature, f.is_used, l.times, l.recipients, l.sent_at, s.user_name
  from program p
  cross join lateral (values
    ('sites', exists (select from site x where x.program_id = p.id and x.deleted_at is null)),
    ('scheduling', exists (select from shift_assignment x where x.program_id = p.id)),
    ('clock', exists (select from time_record x where x.program_id = p.id)),
    ('evaluations', exists (select from evaluation x where x.program_id = p.id)),
    ('supervisors', exists (select from supervisor_site x where x.program_id = p.id)),
    ('imports', exists (select from import_run x where x.program_id = p.id)),
    ('data-sync', exists (select from api_key x where x.program_id = p.id and 'data-sync.send' = any (x.rights))),
    ('agreements', exists (select from affiliate_agreement x where x.program_id = p.id)),
    ('documents', exists (select from document x where x.program_id = p.id)),
    ('verifications', exists (select from verification x where x.program_id = p.id)),
    ('announcements', exists (select from announcement x where x.program_id = p.id)),
    ('calendar', exists (select from calendar_feed x where x.program_id = p.id)),
    ('notification-copies', exists (select from notification_copy x where x.program_id = p.id)),
    ('employment', exists (select from employment x where x.program_id = p.id))
  ) as f (feature, is_used)
  left join feature_email l on l.program_id = p.id and l.feature = f.feature
  left join account s on s.id = l.sent_by
  where p.deleted_at is null and (of_programs is null or p.id = any (of_programs))
    and (select current_setting('app.super', true)) = 'on'
$$;

-- What was stopped is not late.
create or replace function weekly_figures(programs bigint[], monday date) returns table (
  program_id bigint, active_people bigint, sign_ins bigint, recorded_minutes bigint, approved_minutes bigint,
  waiting bigint, evaluations_completed bigint, evaluations_late bigint
) language sql stable security definer set search_path = public, pg_temp as $$
  select p.id, a.people, a.sign_ins, t.recorded, t.approved, w.waiting, e.completed, l.late
  from program p
  cross join lateral (select monday::timestamp at time zone p.time_zone as begins,
    (monday + 7)::timestamp at time zone p.time_zone as ends, (now() at time zone p.time_zone)::date as today) week
  cross join lateral (select count(distinct account_id) as people,
      count(*) filter (where action = 'signed in') as sign_ins from audit
    where audit.program_id = p.id and at >= week.begins and at < week.ends and account_id is not null) a
  cross join lateral (select coalesce(sum(minutes), 0) as recorded,
      coalesce(sum(minutes) filter (where status = 'approved'), 0) as approved from time_record r
    where r.program_id = p.id and r.date between monday and monday + 6 and r.deleted_at is null and r.is_matched
      and r.minutes > 0 and r.kind <> 'absence' and r.status <> 'rejected') t
  cross join lateral (select count(*) as waiting from time_record r
    where r.program_id = p.id and r.occurred_at >= week.begins and r.occurred_at < week.ends and r.deleted_at is null
      and r.status = 'pending') w
  cross join lateral (select count(*) as completed from evaluation v
    where v.program_id = p.id and v.submitted_at >= week.begins and v.submitted_at < week.ends
      and v.deleted_at is null and v.is_completed) e
  cross join lateral (select count(*) as late from evaluation v
    where v.program_id = p.id and not v.is_completed and v.end_date between monday and least(monday + 6, week.today - 1)
      and v.deleted_at is null and v.stopped_at is null) l
  where p.id = any (programs)
$$;

create or replace function installation_counts(since timestamptz)
  returns table (online bigint, daily_users bigint, total_students bigint)
  language sql stable security definer set search_path = public, pg_temp as $$
  select (select count(distinct account_id) from session where ended_at is null and last_seen_at > now() - interval '15 minutes'),
    (select count(*) from account_seen where last_seen_at >= since),
    (select count(*) from account a join program p on p.id = a.program_id and p.deleted_at is null
     where a.access_level = 39 and a.deactivated_at is null and a.deleted_at is null)
$$;

create or replace function program_activity(week timestamptz, month timestamptz)
  returns table (program_id bigint, people_week bigint, people_month bigint, last_seen_at timestamptz)
  language sql stable security definer set search_path = public, pg_temp as $$
  select s.program_id, count(*) filter (where s.last_seen_at >= week), count(*) filter (where s.last_seen_at >= month),
    max(s.last_seen_at)
  from account_seen s where s.program_id is not null group by s.program_id
$$;

create or replace function installation_storage() returns table (files bigint, file_bytes bigint, database_bytes bigint)
  language sql stable security definer set search_path = public, pg_temp as $$
  select count(*), coalesce(sum(f.byte_count), 0)::bigint, pg_database_size(current_database())
  from stored_file f where (select current_setting('app.super', true)) = 'on'
$$;

create or replace function add_failures(kinds text[], names text[], numbers integer[]) returns void
  language sql security definer set search_path = public, pg_temp as $$
  insert into failure_hour as f (kind, name, hour, number)
    -- In one order, so that two processes that write at the same moment wait for each other once at most.
    select k, n, date_trunc('hour', now()), c from unnest(kinds, names, numbers) as u (k, n, c) order by 1, 2
  on conflict (kind, hour, name) do update set number = f.number + excluded.number
$$;

-- Programs where nobody was since: one look at the index for each.
create or replace function count_quiet_programs(since timestamptz) returns bigint
  language sql stable security definer set search_path = public, pg_temp as $$
  select count(*) from program p where p.deleted_at is null
    and not exists (select from account_seen s where s.program_id = p.id and s.last_seen_at >= since)
$$;

create or replace function installation_jobs() returns table (waiting bigint, late bigint, failed bigint)
  language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  if to_regclass('graphile_worker.jobs') is null then
    return query select 0::bigint, 0::bigint, 0::bigint;
  else
    return query select count(*) filter (where j.attempts < j.max_attempts),
      count(*) filter (where j.attempts < j.max_attempts and j.locked_at is null and j.run_at < now() - interval '5 minutes'),
      count(*) filter (where j.attempts >= j.max_attempts)
    from graphile_worker.jobs j;
  end if;
end $$;

create or replace function installation_failures(day_began timestamptz, week_began timestamptz) returns table (kind text, day bigint, week bigint, causes json)
  language sql stable security definer set search_path = public, pg_temp as $$
  with hours as materialized (
    select f.kind, f.name, sum(f.number) filter (where f.hour > day_began) as day, sum(f.number) as week
    from failure_hour f where f.hour > week_began group by 1, 2),
  moments as (
    (select 'email' as kind, m.created_at as at from mail m where m.status = 4 and m.blocked_at is null
      and m.cancelled_at is null and m.created_at > week_began limit 10001)
    union all
    (select 'returned', m.bounced_at from mail m where m.bounced_at > week_began limit 10001)
    union all
    (select 'college', a.at from audit a where a.at > week_began and a.action = 'sign-in refused'
      and a.detail ->> 'How' = 'college' limit 10001)
    union all
    (select 'sync', l.created_at from sync_log l where not (l.event ->> 'Success')::boolean
      and l.created_at > week_began limit 10001))
  select k.kind, coalesce(s.day, 0)::bigint, coalesce(s.week, 0)::bigint, coalesce(s.causes, '[]')
  from unnest(array['server', 'job', 'browser', 'email', 'returned', 'college', 'sync']) with ordinality as k (kind, place)
  left join (
    select h.kind, sum(h.day) as day, sum(h.week) as week, (select json_agg(json_build_object('Name', b.name, 'Week', b.week)
        order by b.week desc, b.name)
      from (select * from hours o where o.kind = h.kind order by o.week desc, o.name limit 5) b) as causes
    from hours h group by h.kind
    union all
    select m.kind, count(*) filter (where m.at > day_began), count(*), null from moments m group by m.kind) s
    on s.kind = k.kind
  where (select current_setting('app.super', true)) = 'on'
  order by k.place
$$;

create or replace function tell_background_task() returns trigger language plpgsql as $$
begin
  perform pg_notify('practicum_live', 'tasks:' || new.program_id || ':' || new.account_id);
  return null;
end $$;

-- How many of each kind of outside part do not work at this moment, for whoever watches the installation. A connection or webhook fails
-- while its last error is later than its last success; a directory, while its last call that failed is within the hour.
create or replace function count_failing_parts() returns table (part text, failing bigint)
  language sql stable security definer set search_path = public, pg_temp as $$
  select k.kind, count(s.provider_id)
  from (values ('saml'), ('oidc'), ('lti')) k (kind)
  left join saml_provider v on v.kind = k.kind and v.deleted_at is null
  left join college_connection_state s on s.provider_id = v.id
    and s.last_error_at > coalesce(s.last_success_at, '-infinity')
  group by k.kind
  union all
  select 'scim', count(*) from scim_connection c
  join saml_provider v on v.id = c.provider_id and v.deleted_at is null
  where c.last_error_at > now() - interval '1 hour'
  union all
  select 'webhook', count(*) from webhook_endpoint w
  where w.deleted_at is null and w.is_enabled and w.last_error_at > coalesce(w.last_success_at, '-infinity')
  union all
  select 'webhook switched off', count(*) from webhook_endpoint w
  where w.deleted_at is null and not w.is_enabled and w.disabled_reason <> ''
  union all
  select e.part, count(m.id) from (values ('email'), ('inbox email')) e (part)
  left join mail m on m.status = 4 and m.blocked_at is null and m.cancelled_at is null
    and m.created_at > now() - interval '1 day' and (m.label = 'INBOX_weekly') = (e.part = 'inbox email')
  group by e.part
$$;

create or replace function note_system_check(of_part text, error text) returns void language sql as $$
  insert into system_check as c (part, last_success_at, last_error_at, last_error)
  values (of_part, case when error = '' then clock_timestamp() end, case when error <> '' then clock_timestamp() end, error)
  on conflict (part) do update set last_success_at = coalesce(excluded.last_success_at, c.last_success_at),
    last_error_at = coalesce(excluded.last_error_at, c.last_error_at),
    last_error = case when error = '' then c.last_error else error end
$$;

-- Checked parts that fail, for whoever watches the installation. A part that nothing has checked for an hour was taken away, or the
-- worker was.
create or replace function count_failing_checks() returns table (part text, failing bigint)
  language sql stable as $$
  select c.part, count(*) filter (where c.last_error_at > coalesce(c.last_success_at, '-infinity'))
  from system_check c where greatest(c.last_success_at, c.last_error_at) > now() - interval '1 hour' group by c.part
$$;
