-- Calendars are for staff too, who see what their level may see when a calendar program comes; super admins are in no program.
alter table calendar_feed drop constraint calendar_feed_program_id_account_id_fkey,
  add foreign key (account_id) references account (id);
create index calendar_feed_account on calendar_feed (account_id);
drop function find_calendar_feed(bytea);
create function find_calendar_feed(hash bytea)
returns table (program_id bigint, account_id bigint, access_level smallint, program_name text)
language sql stable security definer set search_path = public, pg_temp as $$
  select f.program_id, f.account_id, a.access_level, p.name
  from calendar_feed f
  join account a on a.id = f.account_id and (a.program_id = f.program_id or a.access_level = 100)
    and a.deleted_at is null and a.deactivated_at is null
  join program p on p.id = f.program_id and p.deleted_at is null
  where f.token_hash = hash
$$;

-- What was taken away lately is told as cancelled.
create index shift_assignment_removed on shift_assignment (program_id, removed_at) where removed_at is not null;
