-- Clearance by the program director, and clinical records: what a student has done, written once and kept for good.
create table clearance (
  program_id bigint not null references program,
  id bigint generated always as identity,
  student_id bigint not null,
  -- What was signed, and in which version.
  text text not null check (text <> ''),
  version smallint not null,
  name text not null check (name <> ''),
  address inet,
  -- How far the student was.
  checks jsonb not null,
  -- Why it was signed although something was not met.
  exception text not null default '',
  signed_at timestamptz not null default now(),
  signed_by bigint not null,
  withdrawn_at timestamptz,
  withdrawn_by bigint,
  withdrawal_reason text not null default '',
  primary key (program_id, id),
  foreign key (program_id, student_id) references account (program_id, id),
  check ((withdrawn_at is null) = (withdrawal_reason = ''))
);
create unique index clearance_valid on clearance (program_id, student_id) where withdrawn_at is null;
create index clearance_student on clearance (program_id, student_id);
call protect_by_program('clearance');

create table clinical_record (
  program_id bigint not null references program,
  id bigint generated always as identity,
  number text not null unique check (number ~ '^CR(-[A-HJKMNP-Z2-9]{4}){3}$'),
  student_id bigint not null,
  -- Null for an interim record.
  clearance_id bigint,
  -- All that it says; nothing of it changes when the program does.
  content jsonb not null,
  -- The PDF as it was issued.
  file_id bigint not null references stored_file,
  sha256 bytea not null check (length(sha256) = 32),
  -- What its holder lets those see who verify it.
  shares text[] not null default '{}' check (shares <@ '{hours,rotations,competencies}'),
  issued_at timestamptz not null default now(),
  issued_by bigint not null,
  revoked_at timestamptz,
  revoked_by bigint,
  revoke_reason text not null default '',
  replaced_at timestamptz,
  replaced_by bigint,
  primary key (program_id, id),
  foreign key (program_id, student_id) references account (program_id, id),
  foreign key (program_id, clearance_id) references clearance,
  -- Both are written at once, the replaced one first.
  foreign key (program_id, replaced_by) references clinical_record deferrable initially deferred,
  check ((revoked_at is null) = (revoke_reason = '')),
  check ((replaced_at is null) = (replaced_by is null)),
  check (revoked_at is null or replaced_at is null)
);
-- One record of a student is valid at a time.
create unique index clinical_record_valid on clinical_record (program_id, student_id) where revoked_at is null and replaced_at is null;
create index clinical_record_student on clinical_record (program_id, student_id, id);
create index clinical_record_issued on clinical_record (program_id, issued_at, id);
create index clinical_record_clearance on clinical_record (program_id, clearance_id) where clearance_id is not null;
create index clinical_record_successor on clinical_record (program_id, replaced_by) where replaced_by is not null;
create index clinical_record_file on clinical_record (file_id);
call protect_by_program('clinical_record');

-- Whoever verifies a record knows its number and not its program.
create function find_clinical_record(of_number text) returns table (program_id bigint, record_id bigint)
  language sql stable security definer set search_path = public as $$
  select r.program_id, r.id from clinical_record r where r.number = of_number
$$;

call add_mail_template('CLINICAL_RECORD_issued',
  '<p><strong>Clinical record issued.</strong> Tells a student or graduate that a clinical record can be downloaded.</p>',
  'Your clinical record is ready',
  '<p>Hello {{student.firstName}},</p><p>{{record.program}} has issued your clinical record <strong>{{record.number}}</strong>. Download it and keep it: it can be verified for good, also after your account is closed.</p><p><a href="{{link}}">Open your clinical record</a></p>');
