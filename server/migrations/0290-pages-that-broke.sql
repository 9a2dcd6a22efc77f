-- Pages that broke in a browser are counted beside the errors of the server and of jobs.
alter table failure_hour drop constraint failure_hour_kind_check;
alter table failure_hour add constraint failure_hour_kind_check check (kind in ('server', 'job', 'browser'));
create or replace function installation_failures(day_began timestamptz, week_began timestamptz) returns table (kind text, day bigint, week bigint, causes json)
  language sql stable security definer set search_path = public as $$
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
