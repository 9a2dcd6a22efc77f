-- Two accounts of one person become one: what belonged to the second belongs to the first, which can be undone.
create table account_merge (
  program_id bigint not null references program,
  id bigint generated always as identity,
  kept_id bigint not null,
  merged_id bigint not null,
  -- The columns of both accounts that the merge has changed, as they were before, and of the first as it made them.
  kept_before jsonb not null,
  kept_after jsonb not null,
  merged_before jsonb not null,
  created_at timestamptz not null default now(),
  created_by bigint,
  undone_at timestamptz,
  undone_by bigint,
  primary key (program_id, id),
  foreign key (program_id, kept_id) references account (program_id, id),
  foreign key (program_id, merged_id) references account (program_id, id)
);
create index account_merge_kept on account_merge (program_id, kept_id);
create index account_merge_merged on account_merge (program_id, merged_id);
call protect_by_program('account_merge');

-- A row that was given to the first account: where it is, by its key as it is now.
create table account_merge_row (
  program_id bigint not null,
  merge_id bigint not null,
  relation text not null,
  of_column text not null,
  key jsonb not null,
  foreign key (program_id, merge_id) references account_merge (program_id, id)
);
create index account_merge_row_merge on account_merge_row (program_id, merge_id);
call protect_by_program('account_merge_row');

-- What names a person, besides what is theirs alone: how they sign in here, what waits for them in a browser, and figures kept of other rows.
create view person_reference as
  select c.conrelid::regclass::text as relation, a.attname::text as of_column
  from pg_constraint c
  join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[array_length(c.conkey, 1)]
  where c.contype = 'f' and c.confrelid = 'account'::regclass
    and exists (select from pg_attribute p where p.attrelid = c.conrelid and p.attname = 'program_id' and not p.attisdropped)
    and c.conrelid::regclass::text <> all (array['account_merge', 'account_seen', 'address_change', 'api_key', 'background_task',
      'calendar_feed', 'email_notice', 'evaluation_digest', 'known_device', 'leaving', 'one_time_token', 'push_choice', 'push_device',
      'session', 'student_hours', 'student_progress', 'student_requirement', 'import_run', 'custom_report', 'custom_report_email'])
  union values ('placement_preference', 'student_id'), ('placement_points', 'student_id');
revoke all on person_reference from public;

-- Gives rows to another person, all or the one with this key; whether that was possible. Minutes are named so that figures kept of them follow.
create function give_rows(relation text, of_column text, of_program bigint, giver bigint, taker bigint, key jsonb) returns boolean
  language plpgsql set search_path = public, pg_temp as $$
begin
  execute format('update %I t set %I = $3 %s where t.program_id = $1 and t.%I = $2 and ($4 is null or to_jsonb(t) @> $4)', relation, of_column,
    case relation when 'time_record' then ', minutes = minutes' else '' end, of_column)
    using of_program, giver, taker, key;
  return true;
exception when integrity_constraint_violation or raise_exception then
  return false;
end $$;
revoke all on function give_rows from public;

-- Gives what belongs to one person to another: of each kind of row how many, and how many cannot be the other's and stay.
create function merge_rows(of_program bigint, giver bigint, taker bigint, of_merge bigint)
  returns table (relation text, given integer, left_over integer)
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  place person_reference;
  key_columns text[];
  every jsonb[];
  now_theirs jsonb[];
  one jsonb;
begin
  if of_program is distinct from current_program() then
    raise exception 'not this program';
  end if;
  for place in select * from person_reference r order by 1, 2 loop
    select array_agg(a.attname::text) into key_columns
      from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
      where i.indrelid = place.relation::regclass and i.indisprimary;
    execute format('select array_agg((select jsonb_object_agg(k, to_jsonb(t) -> k) from unnest($3) k)) from %I t
      where t.program_id = $1 and t.%I = $2', place.relation, place.of_column)
      into every using of_program, giver, key_columns;
    continue when every is null;
    now_theirs := every;
    if not give_rows(place.relation, place.of_column, of_program, giver, taker, null) then
      now_theirs := '{}';
      foreach one in array every loop
        if give_rows(place.relation, place.of_column, of_program, giver, taker, one) then
          now_theirs := now_theirs || one;
        end if;
      end loop;
    end if;
    insert into account_merge_row
      select of_program, of_merge, place.relation, place.of_column,
        case when place.of_column = any (key_columns) then k || jsonb_build_object(place.of_column, taker) else k end
      from unnest(now_theirs) k;
    relation := place.relation;
    given := cardinality(now_theirs);
    left_over := cardinality(every) - given;
    return next;
  end loop;
end $$;
revoke all on function merge_rows from public;
grant execute on function merge_rows to app;

-- Of each kind of row how many belong to a person.
create function count_rows_of(of_program bigint, person bigint) returns table (relation text, amount integer)
  language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  place person_reference;
begin
  for place in select * from person_reference r where of_program = current_program() loop
    relation := place.relation;
    execute format('select count(*)::integer from %I t where t.program_id = $1 and t.%I = $2', place.relation, place.of_column)
      into amount using of_program, person;
    if amount > 0 then
      return next;
    end if;
  end loop;
end $$;
revoke all on function count_rows_of from public;
grant execute on function count_rows_of to app;

-- Gives back what is still there and still belongs to whoever got it; how many rows.
create function unmerge_rows(of_program bigint, of_merge bigint) returns integer
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  merge account_merge;
  one account_merge_row;
  given integer := 0;
begin
  select m.* into strict merge from account_merge m where m.program_id = of_program and m.id = of_merge and of_program = current_program();
  for one in select r.* from account_merge_row r where r.program_id = of_program and r.merge_id = of_merge loop
    if give_rows(one.relation, one.of_column, of_program, merge.kept_id, merge.merged_id, one.key) then
      given := given + 1;
    end if;
  end loop;
  delete from account_merge_row r where r.program_id = of_program and r.merge_id = of_merge;
  return given;
end $$;
revoke all on function unmerge_rows from public;
grant execute on function unmerge_rows to app;
