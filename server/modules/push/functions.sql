grant select (is_on, last_success_at, last_error_at) on push_service to app_across;
call read_across('push_device', 'account_id, endpoint, ended_at');
call read_across('push_message', 'state, queued_at');

-- One job a transaction. Without a key: jobs of one key would make transactions wait for each other.
create or replace function queue_push_job(of_program bigint) returns void language plpgsql as $$
begin
  if current_setting('app.push_job', true) is distinct from pg_current_xact_id()::text then
    perform graphile_worker.add_job('push:send', json_build_object('programId', of_program), max_attempts => 3);
    perform set_config('app.push_job', pg_current_xact_id()::text, true);
  end if;
end $$;

-- Whoever signs out, or is signed out, is no longer told anything there.
create or replace function end_push_of_session() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update push_device set ended_at = now(), end_reason = 'session' where session_id = new.id and ended_at is null;
  return null;
end $$;

-- An account that is closed, by whomever, has no devices any longer; neither has one that came to another program or level. What else
-- opens something as the account ends for good, too: nobody would notice that it came back with the access. Keys are the program's, so its
-- administrators learn of it, and give one a new secret where another system still needs it.
create or replace function end_push_of_account() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update push_device set ended_at = now(), end_reason = 'account'
  where program_id = old.program_id and account_id = old.id and ended_at is null;
  if new.deactivated_at is not null or new.deleted_at is not null then
    delete from calendar_feed where account_id = old.id;
    update session set ended_at = now(), ended_for = 'access' where account_id = old.id and ended_at is null;
    update one_time_token set used_at = now() where account_id = old.id and used_at is null and kind <> 'not_me';
    with ended as (
      update api_key set ended_at = now() where account_id = old.id and revoked_at is null and ended_at is null
      returning program_id, name)
    insert into notification (program_id, account_id, kind, text, link)
      select a.program_id, a.id, 'keys', case count(*) when 1 then 'The key ' else 'The keys ' end
          || string_agg(e.name, ', ' order by lower(e.name)) || ' ended with the access of ' || trim(old.first_name || ' ' || old.last_name)
          || '. Rotate what another system still needs: the new key has your rights.', '/new/admin/api-keys'
      from ended e join account a on a.program_id = e.program_id and a.id <> old.id and a.access_level = 89
        and a.deleted_at is null and a.deactivated_at is null
      group by a.program_id, a.id;
  end if;
  return null;
end $$;

-- An address belongs to one device: to that of the person who brought it last, in whichever program.
create or replace function claim_push_endpoint(of_endpoint text, of_program bigint, of_device uuid) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('push ' || of_endpoint, 0));
  update push_device set ended_at = now(), end_reason = 'moved'
  where md5(endpoint) = md5(of_endpoint) and ended_at is null and not (program_id = of_program and id = of_device);
end $$;

-- With new keys of the installation no subscription works any longer.
create or replace function end_all_push_devices() returns bigint language sql security definer set search_path = public, pg_temp as $$
  with ended as (
    update push_device set ended_at = now(), end_reason = 'keys' where ended_at is null returning 1)
  select count(*) from ended
$$;

