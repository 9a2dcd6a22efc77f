-- There while the installation is a copy: it was restored from a backup, and no operator has said yet that it is the real one now.
-- Meanwhile it reaches neither people nor other systems.
create table restored_copy (
  is_only boolean primary key default true check (is_only),
  restored_at timestamptz not null default now(),
  -- Of which moment the backup is: what was due by then may have been sent by the installation that was backed up.
  backup_at timestamptz not null
);
revoke insert, update on restored_copy from app;

-- What waits in a restored copy, by kind: all of it, and what was due before the backup was made.
create function count_waiting_in_copy() returns table (kind text, waiting bigint, before_backup bigint)
  language sql stable security definer set search_path = public, pg_temp as $$
  select 'mail', count(*), count(*) filter (where m.created_at <= c.backup_at and m.send_after <= now())
    from mail m cross join restored_copy c where m.status in (1, 2)
  union all
  select 'webhook', count(*), count(*) filter (where v.at <= c.backup_at)
    from webhook_delivery d join webhook_event v on v.program_id = d.program_id and v.id = d.event_id
    cross join restored_copy c where d.state = 'waiting'
  union all
  select 'push', count(*), count(*) filter (where p.queued_at <= c.backup_at)
    from push_message p cross join restored_copy c where p.state = 'waiting'
$$;

-- Ends it: the installation is the real one. Without `sends_old`, what was due before the backup is never sent.
create function end_copy(sends_old boolean) returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare
  backup timestamptz;
  reason constant text := 'Not sent: it was due before the backup was made, and may have been sent then.';
begin
  delete from restored_copy returning backup_at into backup;
  if backup is null or sends_old then return; end if;
  update mail set status = 4, status_message = reason where status in (1, 2) and created_at <= backup and send_after <= now();
  update webhook_delivery d set state = 'failed', error = reason
    from webhook_event v where v.program_id = d.program_id and v.id = d.event_id and d.state = 'waiting' and v.at <= backup;
  update push_message set state = 'dropped', note = reason, done_at = now() where state = 'waiting' and queued_at <= backup;
end $$;
