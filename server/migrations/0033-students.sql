-- The student's page: notes of staff, and what finds a person's mail and verifications. Sign-ins of a day.

create table student_note (
  program_id bigint not null references program,
  id bigint generated always as identity,
  student_id bigint not null,
  text text not null check (text <> ''),
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  primary key (program_id, id),
  foreign key (program_id, student_id) references account (program_id, id)
);
create index student_note_student on student_note (program_id, student_id, created_at desc, id desc) where deleted_at is null;
create trigger touch before update on student_note for each row execute function touch();
call protect_by_program('student_note');

create index mail_account on mail (program_id, account_id, created_at desc, id desc) where account_id is not null;
create index audit_changes on audit (program_id, subject_id, at desc, id desc)
  where subject_id is not null and action not like 'GET %';
create index verification_student on verification (program_id, student_id, type) where deleted_at is null;

-- Ended sessions count too, so that the number of a day never falls.
create index session_seen on session (last_seen_at);
drop function installation_counts();
-- Who is here now (15 minutes), who was here since a moment, and all students.
create function installation_counts(since timestamptz) returns table (online bigint, daily_users bigint, total_students bigint)
  language sql stable security definer set search_path = public as $$
  select (select count(distinct account_id) from session where ended_at is null and last_seen_at > now() - interval '15 minutes'),
    (select count(distinct account_id) from session where last_seen_at >= since),
    (select count(*) from account a join program p on p.id = a.program_id and p.deleted_at is null
     where a.access_level = 39 and a.deleted_at is null and a.deactivated_at is null)
$$;
-- How much each program is used, by the sessions of its people.
create function program_activity(since timestamptz) returns table (program_id bigint, people bigint, last_seen_at timestamptz)
  language sql stable security definer set search_path = public as $$
  select a.program_id, count(distinct s.account_id), max(s.last_seen_at)
  from session s join account a on a.id = s.account_id
  where s.last_seen_at >= since and a.program_id is not null group by a.program_id
$$;
-- Sessions that began, by day.
create function sign_ins_by_day(since timestamptz, zone text) returns table (date date, people bigint)
  language sql stable security definer set search_path = public as $$
  select (s.created_at at time zone zone)::date, count(distinct s.account_id)
  from session s where s.created_at >= since group by 1
$$;
create index session_created on session (created_at);
