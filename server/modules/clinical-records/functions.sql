-- Whoever verifies a record knows its number and not its program.
create or replace function find_clinical_record(of_number text) returns table (program_id bigint, record_id bigint)
  language sql stable security definer set search_path = public, pg_temp as $$
  select r.program_id, r.id from clinical_record r where r.number = of_number
$$;

-- What a college has taken back, for whoever checks a credential: numbers and days, nobody's name.
create or replace function ended_clinical_records(of_college bigint) returns table (number text, ended_at timestamptz, is_replaced boolean)
  language sql stable security definer set search_path = public, pg_temp as $$
  select r.number, coalesce(r.revoked_at, r.replaced_at), r.replaced_at is not null from clinical_record r
  where r.college_id = of_college and (r.revoked_at is not null or r.replaced_at is not null)
  order by 2, 1
$$;
