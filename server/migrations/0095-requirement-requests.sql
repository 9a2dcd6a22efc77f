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
  foreign key (program_id, requirement_id) references requirement,
  foreign key (program_id, exemption_id) references requirement_exemption,
  check ((state = 'open') = (decided_at is null)),
  check ((state = 'granted') = (exemption_id is not null)),
  check (state <> 'declined' or answer <> '')
);
create unique index requirement_request_open on requirement_request (program_id, student_id, requirement_id) where state = 'open';
create index requirement_request_student on requirement_request (program_id, student_id, id);
create index requirement_request_waiting on requirement_request (program_id, id) where state = 'open';
call protect_by_program('requirement_request');

-- What is kept of a proof when its files and notes are deleted: what was shown, from when until when, and who decided.
alter table requirement_proof add purged_at timestamptz;

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

call add_mail_template('REQUIREMENT_answered',
  '<p><strong>Exemption decided.</strong> Tells a student what became of the exemption that she asked for.</p>',
  '{{change.summary}}',
  '<p>Hello {{student.firstName}},</p><p>{{change.list}}</p><p><a href="{{link}}">Your requirements</a></p>');
call add_mail_template('REQUIREMENT_preAdverse',
  '<p><strong>Pre-adverse notice.</strong> Tells a student about a finding before anything is decided.</p>',
  '{{requirement.name}}: a notice before a decision',
  '<p>Hello {{student.firstName}},</p><p>Something in your report <strong>{{requirement.name}}</strong> may keep you from placements of {{program.name}}. Nothing is decided yet.</p><p>You have until <strong>{{answer.until}}</strong> to dispute the report with the company that made it, and to tell {{writer.name}} what you want to be considered. You have the right to a copy of the report and to a summary of your rights under the Fair Credit Reporting Act: ask {{writer.name}} for both.</p><p><a href="{{link}}">Your requirements</a></p>');
call add_mail_template('PROOFS_deleted_soon',
  '<p><strong>Proofs deleted soon.</strong> Tells directors a month before proofs of students who have left are deleted.</p>',
  'Proofs of {{student.count}} former students are deleted on {{purge.on}}',
  '<p>Hello {{director.firstName}},</p><p>The files and notes that {{student.count}} former students of {{program.name}} have shown for requirements are deleted on <strong>{{purge.on}}</strong>, as the program’s options say. What was shown, from when until when, and who decided stays as a record.</p><p>{{student.list}}</p><p><a href="{{link}}">The program’s options</a></p>');
