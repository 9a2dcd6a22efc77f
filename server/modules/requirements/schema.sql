-- Requirements (compliance) as far as placement asks for them; documents and verification build on these tables.
create table requirement (
  program_id bigint not null references program,
  id bigint generated always as identity,
  name text collate alphabetical not null check (name <> ''),
  blocks_placement boolean not null default false,
  deleted_at timestamptz,
  kind text not null default 'document' check (kind in ('certification', 'immunization', 'screening', 'training', 'document', 'signature')),
  scope text not null default 'program' check (scope in ('program', 'site', 'perSite')),
  rule jsonb not null default '{"Kind": "until"}',
  version integer not null default 1,
  text_version integer not null default 1,
  needs_file boolean not null default true,
  instructions text not null default '',
  link text not null default '',
  level_ids smallint[] not null default '{}',
  cohorts text[] not null default '{}',
  asked_from smallint generated always as (replace(rule ->> 'AskedFrom', '-', '')::smallint) stored,
  asked_through smallint generated always as (replace(rule ->> 'AskedThrough', '-', '')::smallint) stored,
  position integer not null default 0,
  import_id bigint references import_run,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  primary key (program_id, id)
);
create index requirement_import on requirement (program_id, import_id) where import_id is not null;
create unique index requirement_name on requirement (program_id, lower(name)) where deleted_at is null;
create trigger touch before update on requirement for each row execute function touch();
call protect_by_program('requirement');

create table student_requirement (
  program_id bigint not null,
  student_id bigint not null,
  requirement_id bigint not null,
  status text not null check (status in ('missing', 'submitted', 'inProgress', 'accepted', 'returned', 'waived')),
  completed_on date,
  expires_on date,
  site_id bigint not null default 0,
  is_waiting boolean not null default false,
  is_returned boolean not null default false,
  exemption text check (exemption in ('waiver', 'medical', 'religious', 'declination')),
  next jsonb,
  primary key (program_id, student_id, site_id, requirement_id),
  foreign key (program_id, student_id) references account (program_id, id),
  foreign key (program_id, requirement_id) references requirement
);
create index student_requirement_expiry on student_requirement (program_id, expires_on);
call protect_by_program('student_requirement');

-- What vendors of background checks (1) and immunizations (2) say about students (specification 1 §2.11, product 3.7).
create table verification (
  program_id bigint not null references program,
  id bigint generated always as identity,
  student_id bigint not null,
  type smallint not null check (type in (1, 2)),
  vendor text collate alphabetical not null check (vendor <> ''),
  -- What was verified: the package of a background check, or an immunization.
  item text collate alphabetical not null check (item <> ''),
  status text not null check (status in ('complete', 'pending', 'failed', 'missing', 'waived')),
  -- The vendor's own word.
  result text not null default '',
  ordered_on date,
  completed_on date,
  expires_on date,
  import_id bigint references import_run,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  primary key (program_id, id),
  foreign key (program_id, student_id) references account (program_id, id)
);
create index verification_import on verification (program_id, import_id) where import_id is not null;
create index verification_student on verification (program_id, student_id, type) where deleted_at is null;
create unique index verification_item on verification (program_id, type, student_id, lower(vendor), lower(item))
  where deleted_at is null;
create index verification_by_item on verification (program_id, type, lower(item), id) where deleted_at is null;
create trigger keep_added after insert on verification referencing new table as changed
  for each statement execute function keep_changed_verifications();
create trigger keep_changed after update on verification referencing old table as was new table as changed
  for each statement execute function keep_changed_verifications();
create trigger touch before update on verification for each row execute function touch();
call protect_by_program('verification');
call never_delete('verification');

create table requirement_reminder (
  program_id bigint not null,
  student_id bigint not null,
  requirement_id bigint not null,
  expires_on date not null,
  -- Days before the end; 0 after it.
  step smallint not null,
  sent_at timestamptz not null default now(),
  primary key (program_id, student_id, requirement_id, expires_on, step),
  foreign key (program_id, student_id) references account (program_id, id),
  foreign key (program_id, requirement_id) references requirement
);
call protect_by_program('requirement_reminder');

-- The requirements that the vendors of a program name, in the spelling of the first result.
create table verification_named_item (
  program_id bigint not null references program,
  type smallint not null,
  -- As compared: in small letters.
  name text collate alphabetical not null,
  item text collate alphabetical not null,
  primary key (program_id, type, name)
);
call protect_by_program('verification_named_item');

-- The day that the rows below say something about. Without a row they say nothing.
create table verification_day (
  program_id bigint not null references program,
  type smallint not null,
  day date not null,
  primary key (program_id, type)
);
call protect_by_program('verification_day');

-- A student without any result has no row: what she misses is every item.
create table verification_standing (
  program_id bigint not null references program,
  type smallint not null,
  student_id bigint not null,
  complete smallint not null,
  missing smallint not null,
  open smallint not null,
  expired smallint not null,
  within60 smallint not null,
  within30 smallint not null,
  within7 smallint not null,
  next_expiry date,
  primary key (program_id, type, student_id)
);
call protect_by_program('verification_standing');

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
  vendor text collate alphabetical not null default '',
  revision integer not null default 1,
  -- Made on the device: what is sent twice is kept once.
  key uuid not null,
  import_id bigint references import_run,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  purged_at timestamptz,
  primary key (program_id, id),
  foreign key (program_id, site_id) references site,
  foreign key (program_id, student_id) references account (program_id, id),
  foreign key (program_id, requirement_id) references requirement,
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
  primary key (program_id, proof_id, "position"),
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

-- What may be disclosed to a site, and what was: the legal basis, the consents of students, and packets.
create table site_disclosure (
  program_id bigint not null,
  site_id bigint not null,
  basis text not null check (basis in ('schoolOfficial', 'consent')),
  -- Of school officials: the annual notice that names them, and the agreement with the site.
  notice_on date,
  agreement_on date,
  -- Of a consent: what for.
  purpose text not null default '',
  updated_at timestamptz not null default now(),
  updated_by bigint,
  primary key (program_id, site_id),
  foreign key (program_id, site_id) references site,
  check (basis <> 'schoolOfficial' or notice_on is not null and agreement_on is not null),
  check (basis <> 'consent' or purpose <> '')
);
create trigger touch before update on site_disclosure for each row execute function touch();
call protect_by_program('site_disclosure');

-- A student's consent to a disclosure: records, purpose and recipient as they were signed.
create table disclosure_consent (
  program_id bigint not null,
  id bigint generated always as identity,
  student_id bigint not null,
  site_id bigint not null,
  text text not null,
  signed_name text not null,
  signed_from text not null,
  signed_at timestamptz not null default now(),
  revoked_at timestamptz,
  primary key (program_id, id),
  foreign key (program_id, site_id) references site,
  foreign key (program_id, student_id) references account (program_id, id)
);
create unique index disclosure_consent_given on disclosure_consent (program_id, student_id, site_id) where revoked_at is null;
call protect_by_program('disclosure_consent');

create table site_packet (
  program_id bigint not null,
  id bigint generated always as identity,
  site_id bigint not null,
  basis text not null check (basis in ('schoolOfficial', 'consent')),
  -- The day that it attests to.
  on_day date not null,
  recipient_name text collate alphabetical not null,
  recipient_email text not null,
  created_at timestamptz not null default now(),
  created_by bigint,
  primary key (program_id, id),
  foreign key (program_id, site_id) references site
);
create index site_packet_site on site_packet (program_id, site_id, id);
call protect_by_program('site_packet');

-- What a packet says of a student, as it was said: name, and by requirement whether it is met, since when and until when.
create table site_packet_student (
  program_id bigint not null,
  packet_id bigint not null,
  student_id bigint not null,
  name text collate alphabetical not null,
  lines jsonb not null,
  primary key (program_id, packet_id, student_id),
  foreign key (program_id, packet_id) references site_packet,
  foreign key (program_id, student_id) references account (program_id, id)
);
create index site_packet_student_student on site_packet_student (program_id, student_id, packet_id);
call protect_by_program('site_packet_student');

-- The weekly email about requirements was sent to the staff of a program for this week.
create table requirement_digest (
  program_id bigint not null references program,
  -- Its Monday.
  week date not null,
  sent_at timestamptz not null default now(),
  primary key (program_id, week)
);
call protect_by_program('requirement_digest');

-- Students ask to be exempt, a finding has its pre-adverse notice before it is final, and proofs are not kept longer than they are needed.
create table requirement_request (
  program_id bigint not null references program,
  id bigint generated always as identity,
  student_id bigint not null,
  requirement_id bigint not null,
  kind text not null check (kind in ('waiver', 'medical', 'religious', 'declination')),
  -- For compliance staff alone.
  reason text not null,
  until_on date,
  state text not null default 'open' check (state in ('open', 'granted', 'declined', 'withdrawn')),
  -- What the student is told with the decision.
  answer text not null default '',
  exemption_id bigint,
  decided_at timestamptz,
  decided_by bigint,
  created_at timestamptz not null default now(),
  primary key (program_id, id),
  foreign key (program_id, student_id) references account (program_id, id),
  foreign key (program_id, exemption_id) references requirement_exemption,
  foreign key (program_id, requirement_id) references requirement,
  check ((state = 'open') = (decided_at is null)),
  check ((state = 'granted') = (exemption_id is not null)),
  check (state <> 'declined' or answer <> '')
);
create unique index requirement_request_open on requirement_request (program_id, student_id, requirement_id) where state = 'open';
create index requirement_request_student on requirement_request (program_id, student_id, id);
create index requirement_request_waiting on requirement_request (program_id, id) where state = 'open';
call protect_by_program('requirement_request');

-- A student who has left, and when her proofs were, or will be, deleted.
create table proof_retention (
  program_id bigint not null references program,
  student_id bigint not null,
  left_on date not null,
  -- Staff are told a month before.
  told_on date,
  purged_at timestamptz,
  files integer not null default 0,
  primary key (program_id, student_id),
  foreign key (program_id, student_id) references account (program_id, id)
);
create index proof_retention_waiting on proof_retention (program_id, left_on) where purged_at is null;
call protect_by_program('proof_retention');
