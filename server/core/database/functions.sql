-- The first day of the week that a date is in: `weekOf` of the contract.
create or replace function week_of(day date) returns date language sql immutable parallel safe as $$
  select day - extract(dow from day)::integer
$$;

-- The program that the running transaction works on. Policies compare with (select current_program()): an equality with a
-- value asked once a statement. The statements name their program too, and the planner joins both into one condition that
-- an index answers, with a check of one value before the first row. After a commit a setting reads ''.
create or replace function current_program() returns bigint language sql stable parallel safe as $$
  select nullif(current_setting('app.program', true), '')::bigint
$$;

-- The programs whose people, mail, files, imports and audit it may see: that one, or all for a super admin's overview.
create or replace function allowed_programs() returns bigint[] language sql stable parallel safe as $$
  select string_to_array(nullif(current_setting('app.programs', true), ''), ',')::bigint[]
$$;

create or replace function current_account() returns bigint language sql stable parallel safe as $$
  select nullif(current_setting('app.account', true), '')::bigint
$$;

-- Every table of a program's data gets its policy through this one function.
create or replace procedure protect_by_program(name text) language plpgsql as $$
begin
  execute format('alter table %I enable row level security', name);
  execute format(
    'create policy program on %I using (program_id = (select current_program()))', name);
end $$;

-- What people have on record is marked as deleted and stays: the serving role cannot delete it, and what follows its changes need not hear of that.
create or replace procedure never_delete(of_table text) language plpgsql as $$
begin
  execute format('revoke delete on %I from app', of_table);
end $$;

grant usage on schema public to app_across;

-- What the role that asks across programs reads of a table that is protected by program (docs/decisions/across-programs.md): these columns of
-- all rows. Of tables without a policy it is granted what it needs. Files of functions say both, since what is asked may change with each.
create or replace procedure read_across(of_table text, columns text) language plpgsql as $$
begin
  execute format('revoke all on %I from app_across', of_table);
  execute format('grant select (%s) on %I to app_across', columns, of_table);
  if not exists (select from pg_policy where polrelid = of_table::regclass and polname = 'across') then
    execute format('create policy across on %I for select to app_across using (true)', of_table);
  end if;
end $$;

grant select (id, name) on migration to app_across;
grant select (backup_at) on restored_copy to app_across;

create or replace function touch() returns trigger language plpgsql as $$
begin
  new.updated_at := now();
  new.updated_by := coalesce(current_account(), new.updated_by);
  return new;
end $$;

-- Ends it: the installation is the real one. Without `sends_old`, what was due before the backup is never sent.
create or replace function end_copy(sends_old boolean) returns void language plpgsql security definer set search_path = public, pg_temp as $$
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

-- One way to search. A text is found by words in any order, without regard to case, accents, apostrophes and hyphens: "okafor, amara"
-- finds Amara Okafor, and "obrien" finds O’Brien. `searchKey` in contract/core/search.ts answers the same. Indexes keep what it
-- answers: a change of it is a new function and new indexes.
create or replace function search_key(told text) returns text language plpgsql immutable parallel safe as $$
begin
  -- Most names, at a tenth of the time.
  if octet_length(told) = length(told) then
    return translate(lower(told collate "C"), E',-\t\n\u000b\f\r''`', '       ');
  end if;
  return regexp_replace(regexp_replace(
    replace(replace(replace(replace(
      translate(lower(normalize(translate(told, '´', ''), NFKD) collate public.alphabetical), 'øłđðħıς', 'olddhiσ'),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
    '[''`\u00b4\u02b9\u02bb-\u02bd\u02bf\u02c8\u02ca\u02cb\u2018-\u201b\u2032\u2035\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]', '', 'g'),
    '[\t-\r\u0020,\-\u0085\u058a\u05be\u060c\u1680\u2010-\u2015\u2028\u2029\u2212\u3001]', ' ', 'g');
end
$$;

-- A person's name as lists have it: the last name first, and a name of one word as it is.
create or replace function listed_name(last_name text, first_name text) returns text language sql immutable parallel safe as $$
  select case when last_name = '' then first_name when first_name = '' then last_name else last_name || ', ' || first_name end
$$;

-- A text as JSON. From PostgreSQL 16 on there is an expression that does not look its type up again for each row; a function of
-- one expression is put in place of its call, so it costs nothing of its own.
do $do$ begin
  execute format('create or replace function json_text(value text) returns json language sql stable as $$ select %s(value) $$',
    case when current_setting('server_version_num')::integer >= 160000 then 'json_scalar' else 'to_json' end);
end $do$;

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
revoke execute on function make_partitions_through(timestamp with time zone) from public;
