-- Clearance by the program director, and clinical records: what a student has done, written once and kept for good.
create table clearance (
  program_id bigint not null references program,
  id bigint generated always as identity,
  student_id bigint not null,
  -- What was signed, and in which version.
  text text not null check (text <> ''),
  version smallint not null,
  name text collate alphabetical not null check (name <> ''),
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
  number text collate alphabetical not null check (number ~ '^CR(-[A-HJKMNP-Z2-9]{4}){3}$') unique,
  student_id bigint not null,
  -- Null for an interim record.
  clearance_id bigint,
  -- All that it says; nothing of it changes when the program does.
  content jsonb not null,
  -- The PDF as it was issued.
  file_id bigint not null references stored_file,
  sha256 bytea not null check (length(sha256) = 32),
  -- What its holder lets those see who verify it.
  shares text[] not null default '{}' check (shares <@ '{hours,rotations,competencies}'::text[]),
  issued_at timestamptz not null default now(),
  issued_by bigint not null,
  revoked_at timestamptz,
  revoked_by bigint,
  revoke_reason text not null default '',
  replaced_at timestamptz,
  replaced_by bigint,
  college_id bigint references college,
  credential text collate alphabetical,
  credential_sha256 bytea check (length(credential_sha256) = 32),
  primary key (program_id, id),
  foreign key (program_id, student_id) references account (program_id, id),
  foreign key (program_id, replaced_by) references clinical_record deferrable initially deferred,
  foreign key (program_id, clearance_id) references clearance,
  check ((revoked_at is null) = (revoke_reason = '')),
  check ((replaced_at is null) = (replaced_by is null)),
  check (revoked_at is null or replaced_at is null),
  check ((credential is null) = (credential_sha256 is null))
);
-- One record of a student is valid at a time.
create unique index clinical_record_valid on clinical_record (program_id, student_id) where revoked_at is null and replaced_at is null;
create index clinical_record_student on clinical_record (program_id, student_id, id);
create index clinical_record_issued on clinical_record (program_id, issued_at, id);
create index clinical_record_clearance on clinical_record (program_id, clearance_id) where clearance_id is not null;
create index clinical_record_successor on clinical_record (program_id, replaced_by) where replaced_by is not null;
create index clinical_record_file on clinical_record (file_id);
create index clinical_record_college on clinical_record (college_id) where revoked_at is not null or replaced_at is not null;
call protect_by_program('clinical_record');

-- The keys with which a college signs what its students take along. The public ones stay published for good, so that what was
-- signed can be checked years later; the private ones are sealed.
create table signing_key (
  id bigint generated always as identity primary key,
  college_id bigint not null references college,
  -- The thumbprint of the public key (RFC 7638).
  kid text not null check (kid ~ '^[A-Za-z0-9_-]{43}$') unique,
  public_jwk jsonb not null,
  sealed_private text not null,
  created_at timestamptz not null default now(),
  -- When another one took its place.
  retired_at timestamptz
);
create unique index signing_key_current on signing_key (college_id) where retired_at is null;
create index signing_key_college on signing_key (college_id);
