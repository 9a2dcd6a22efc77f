-- API keys: other systems call what a key's rights allow. Keys of data sync become such keys and go on working.

create table api_key (
  id bigint generated always as identity primary key,
  -- Null: all programs.
  program_id bigint references program,
  name text not null check (name <> '' and length(name) <= 100),
  -- The key itself is shown once and kept nowhere.
  key_hash bytea not null,
  -- Its last signs, by which people tell keys apart.
  ending text not null,
  -- After a rotation the one before opens until this moment.
  previous_hash bytea,
  previous_until timestamptz,
  -- It may no more than this person may.
  account_id bigint not null references account (id),
  rights text[] not null,
  -- From which it may be used; from anywhere when there are none.
  networks cidr[] not null default '{}',
  calls_per_minute integer not null default 600 check (calls_per_minute between 1 and 6000),
  expires_at timestamptz,
  last_used_at timestamptz,
  last_used_address inet,
  refused_at timestamptz,
  refused_address inet,
  refused_reason text,
  rotated_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now()
);
create unique index api_key_hash on api_key (key_hash);
create unique index api_key_previous_hash on api_key (previous_hash);
create unique index api_key_name on api_key (program_id, lower(name)) nulls not distinct where revoked_at is null;
alter table api_key enable row level security;
create policy program on api_key using (
  program_id = (select current_program())
  or (program_id is null and (select current_setting('app.super', true)) = 'on'));

insert into api_key (program_id, name, key_hash, ending, account_id, rights, last_used_at, revoked_at, created_at)
  select program_id, name, key_hash, ending, account_id, '{data-sync.send}', last_used_at, revoked_at, created_at
  from sync_key order by program_id, id;
drop function find_sync_key(bytea);
create or replace function feature_use(of_programs bigint[]) returns table (
  program_id bigint, feature text, is_used boolean, times integer, recipients integer, sent_at timestamptz, sent_by text
) language sql stable security definer set search_path = public as $$
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
drop table sync_key;

-- Whose key it is, asked before a program is known, or by its number for work that goes on later. A key ends with the person who
-- made it, and with its program.
create function find_api_key(hash bytea, of_key bigint default null) returns table (
  key_id bigint, key_name text, key_program_id bigint, rights text[], networks text[], calls_per_minute integer, is_expired boolean,
  account_id bigint, user_name text, first_name text, last_name text, email text, is_email_confirmed boolean, is_demo boolean,
  access_level smallint, super_admin_areas integer,
  college_id bigint, program_name text, college_name text, time_zone text
) language sql stable security definer set search_path = public as $$
  select k.id, k.name, k.program_id, k.rights, k.networks::text[], k.calls_per_minute, coalesce(k.expires_at <= now(), false),
    a.id, a.user_name, a.first_name, a.last_name, a.email, a.is_email_confirmed, a.is_demo, a.access_level, a.super_admin_areas,
    p.college_id, p.name, c.name, coalesce(p.time_zone, 'America/New_York')
  from api_key k
  join account a on a.id = k.account_id and a.deleted_at is null and a.deactivated_at is null
    and (a.program_id = k.program_id or a.access_level = 100)
  left join program p on p.id = k.program_id
  left join college c on c.id = p.college_id
  where (k.key_hash = hash or (k.previous_hash = hash and k.previous_until > now()) or k.id = of_key)
    and k.revoked_at is null and (k.program_id is null or p.deleted_at is null)
$$;

-- Counts a call against the key's limit on all processes, and keeps when it was used last, to the minute.
create function count_api_key_call(of_key bigint, from_address inet) returns table (calls integer, seconds integer)
  language sql security definer set search_path = public as $$
  update api_key set last_used_at = now(), last_used_address = from_address
    where id = of_key and (last_used_at is null or last_used_at < now() - interval '1 minute'
      or last_used_address is distinct from from_address);
  insert into throttle as t (key, count, window_ends_at) values ('api-key:' || of_key, 1, now() + interval '1 minute')
    on conflict (key) do update set
      count = case when t.window_ends_at < now() then 1 else least(t.count, 1000000) + 1 end,
      window_ends_at = case when t.window_ends_at < now() then excluded.window_ends_at else t.window_ends_at end
    returning count, greatest(1, ceil(extract(epoch from window_ends_at - now()))::integer)
$$;

-- A good key that was refused: kept for its page, and in the audit once an hour and address.
create function note_api_key_refused(of_key bigint, from_address inet, reason text) returns void
  language sql security definer set search_path = public as $$
  with noted as (
    update api_key set refused_at = now(), refused_address = from_address, refused_reason = reason
    where id = of_key and (refused_at is null or refused_at < now() - interval '1 hour'
      or refused_address is distinct from from_address or refused_reason is distinct from reason)
    returning id, program_id, name)
  insert into audit (program_id, action, address, detail)
    select program_id, 'key refused', from_address, jsonb_build_object('ByKey', jsonb_build_object('Id', id, 'Name', name), 'Reason', reason)
    from noted
$$;

-- What a key asked for is prepared with the rights of that key.
alter table background_task add column key_id bigint references api_key (id);
create index background_task_key on background_task (key_id) where key_id is not null;
