-- Requirements with their rules, what students show for them, who is exempt, what sites ask besides, and what all of it comes to by
-- student and requirement.
alter table requirement
  add kind text not null default 'document'
    check (kind in ('certification', 'immunization', 'screening', 'training', 'document', 'signature')),
  add scope text not null default 'program' check (scope in ('program', 'site', 'perSite')),
  -- As `Rule` in contract/requirements/requirement-rules.ts has it.
  add rule jsonb not null default '{"Kind": "until"}',
  -- Grows with each change of the rule.
  add version integer not null default 1,
  -- The version whose text has to be signed.
  add text_version integer not null default 1,
  add needs_file boolean not null default true,
  add instructions text not null default '',
  add link text not null default '',
  -- Empty is every level, and every cohort.
  add level_ids smallint[] not null default '{}',
  add cohorts text[] not null default '{}',
  -- Of a season, as month * 100 + day; null where it is asked all year.
  add asked_from smallint generated always as ((replace(rule ->> 'AskedFrom', '-', ''))::smallint) stored,
  add asked_through smallint generated always as ((replace(rule ->> 'AskedThrough', '-', ''))::smallint) stored,
  add position integer not null default 0,
  add import_id bigint references import_run,
  add created_at timestamptz not null default now(),
  add created_by bigint,
  add updated_at timestamptz not null default now(),
  add updated_by bigint;
create unique index requirement_name on requirement (program_id, lower(name)) where deleted_at is null;
create index requirement_import on requirement (program_id, import_id) where import_id is not null;
create trigger touch before update on requirement for each row execute function touch();

-- What a requirement asked before its rule was changed.
create table requirement_version (
  program_id bigint not null,
  requirement_id bigint not null,
  version integer not null,
  rule jsonb not null,
  ended_at timestamptz not null default now(),
  ended_by bigint,
  primary key (program_id, requirement_id, version),
  foreign key (program_id, requirement_id) references requirement
);
call protect_by_program('requirement_version');

-- Whether a season asks on a day; a season may run over the end of the year.
create function is_asked_on(asked_from smallint, asked_through smallint, on_day date) returns boolean language sql immutable as $$
  select asked_from is null or case when asked_from <= asked_through
    then extract(month from on_day) * 100 + extract(day from on_day) between asked_from and asked_through
    else extract(month from on_day) * 100 + extract(day from on_day) >= asked_from
      or extract(month from on_day) * 100 + extract(day from on_day) <= asked_through end
$$;
create function applies_to(level_ids smallint[], cohorts text[], level smallint, of_cohort text) returns boolean language sql immutable as $$
  select (cardinality(level_ids) = 0 or level = any (level_ids)) and (cardinality(cohorts) = 0 or of_cohort = any (cohorts))
$$;

-- What a site asks besides the program, and how it sees what the program asks.
create table site_requirement (
  program_id bigint not null,
  site_id bigint not null,
  requirement_id bigint not null,
  -- Of a requirement that only some sites ask.
  is_asked boolean not null default true,
  -- Not older than so many days on the first day at the site.
  max_age_days smallint check (max_age_days between 1 and 3660),
  -- The exemptions that the site accepts.
  accepts text[] not null default '{waiver,medical,religious,declination}'
    check (accepts <@ array['waiver', 'medical', 'religious', 'declination']),
  -- On which condition, such as a mask in the season.
  condition text not null default '',
  is_in_packet boolean not null default true,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  primary key (program_id, site_id, requirement_id),
  foreign key (program_id, site_id) references site,
  foreign key (program_id, requirement_id) references requirement
);
create index site_requirement_requirement on site_requirement (program_id, requirement_id);
create trigger touch before update on site_requirement for each row execute function touch();
call protect_by_program('site_requirement');

create table requirement_proof (
  program_id bigint not null,
  id bigint generated always as identity,
  student_id bigint not null,
  requirement_id bigint not null,
  -- Of a requirement that each site asks by itself.
  site_id bigint,
  version integer not null,
  -- As `ProofEvent` in contract/requirements/requirement-rules.ts has them.
  events jsonb not null,
  note text not null default '',
  source text not null default 'student' check (source in ('student', 'staff', 'vendor', 'signature')),
  state text not null default 'submitted' check (state in ('submitted', 'accepted', 'returned')),
  return_reason text not null default '',
  decided_at timestamptz,
  decided_by bigint,
  -- Of a signature: the name as typed, the text that was signed, from where.
  signed_name text not null default '',
  signed_text text not null default '',
  signed_from text not null default '',
  vendor text not null default '',
  revision integer not null default 1,
  -- Made on the device: what is sent twice is kept once.
  key uuid not null,
  import_id bigint references import_run,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  primary key (program_id, id),
  foreign key (program_id, student_id) references account (program_id, id),
  foreign key (program_id, requirement_id) references requirement,
  foreign key (program_id, site_id) references site,
  check ((state = 'submitted') = (decided_at is null)),
  check (state <> 'returned' or return_reason <> '')
);
create unique index requirement_proof_key on requirement_proof (program_id, student_id, key);
create index requirement_proof_student on requirement_proof (program_id, student_id, requirement_id, id) where deleted_at is null;
create index requirement_proof_requirement on requirement_proof (program_id, requirement_id, student_id) where deleted_at is null;
create index requirement_proof_waiting on requirement_proof (program_id, id) where state = 'submitted' and deleted_at is null;
create index requirement_proof_import on requirement_proof (program_id, import_id) where import_id is not null;
create trigger touch before update on requirement_proof for each row execute function touch();
call protect_by_program('requirement_proof');

create table requirement_proof_file (
  program_id bigint not null,
  proof_id bigint not null,
  position smallint not null,
  file_id bigint not null references stored_file,
  primary key (program_id, proof_id, position),
  foreign key (program_id, proof_id) references requirement_proof
);
create index requirement_proof_file_file on requirement_proof_file (file_id);
call protect_by_program('requirement_proof_file');

-- Who need not show something. The reason is for compliance staff alone.
create table requirement_exemption (
  program_id bigint not null,
  id bigint generated always as identity,
  student_id bigint not null,
  requirement_id bigint not null,
  kind text not null check (kind in ('waiver', 'medical', 'religious', 'declination')),
  reason text not null,
  until_on date,
  created_at timestamptz not null default now(),
  created_by bigint,
  ended_at timestamptz,
  ended_by bigint,
  primary key (program_id, id),
  foreign key (program_id, student_id) references account (program_id, id),
  foreign key (program_id, requirement_id) references requirement
);
create index requirement_exemption_student on requirement_exemption (program_id, student_id, requirement_id) where ended_at is null;
call protect_by_program('requirement_exemption');

-- What all of it comes to, kept with each change: whatever the day, since what is good has its last day. No row is missing.
alter table student_requirement drop constraint student_requirement_status_check;
update student_requirement set status = 'returned' where status = 'rejected';
alter table student_requirement
  add constraint student_requirement_status_check
    check (status in ('missing', 'submitted', 'inProgress', 'accepted', 'returned', 'waived')),
  -- 0 unless each site asks by itself.
  add site_id bigint not null default 0,
  add is_waiting boolean not null default false,
  add is_returned boolean not null default false,
  add exemption text check (exemption in ('waiver', 'medical', 'religious', 'declination')),
  add next jsonb,
  drop constraint student_requirement_pkey,
  add primary key (program_id, student_id, requirement_id, site_id);
create index student_requirement_of on student_requirement (program_id, requirement_id, status);

-- Proofs from before this version are what their rows said.
insert into requirement_proof (program_id, student_id, requirement_id, version, events, source, state, decided_at, key, return_reason)
select s.program_id, s.student_id, s.requirement_id, 1,
  jsonb_build_array(jsonb_build_object('Kind', 'done', 'On', coalesce(s.completed_on, s.expires_on, current_date), 'Until', s.expires_on,
    'Result', '', 'Of', '')), 'staff', s.status, now(), gen_random_uuid(), case s.status when 'returned' then 'Returned' else '' end
from student_requirement s where s.status in ('accepted', 'returned');
insert into requirement_exemption (program_id, student_id, requirement_id, kind, reason, until_on)
select s.program_id, s.student_id, s.requirement_id, 'waiver', 'Recorded before reasons were kept', s.expires_on
from student_requirement s where s.status = 'waived';
update student_requirement set exemption = 'waiver' where status = 'waived';
update student_requirement set status = 'missing' where status = 'submitted';

call add_mail_template('REQUIREMENT_returned',
  '<p><strong>Proofs returned.</strong> Tells a student which proofs were returned, and why.</p>',
  '{{change.summary}}',
  '<p>Hello {{student.firstName}},</p><p>{{change.list}}</p><p><a href="{{link}}">Your requirements</a></p>');
call add_mail_template('REQUIREMENT_accepted',
  '<p><strong>Proofs accepted.</strong> Tells a student which proofs were accepted, and until when they are good.</p>',
  '{{change.summary}}',
  '<p>Hello {{student.firstName}},</p><p>{{change.list}}</p><p><a href="{{link}}">Your requirements</a></p>');
