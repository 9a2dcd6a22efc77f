-- Emails about what happens: digests, reminders, attachments, and what came back undelivered.

-- What an email is still to be written about. A digest takes all of a person's lines of one topic at once, some minutes after
-- the first of them, so that many changes make one email.
create table email_notice (
  program_id bigint not null,
  id bigint generated always as identity,
  account_id bigint not null,
  label text not null,
  -- Several changes of the same thing become one line: what it was at first, and what it is at last.
  subject_key text not null,
  before text,
  after text,
  due_at timestamptz not null default now() + interval '5 minutes',
  primary key (program_id, id),
  foreign key (program_id, account_id) references account (program_id, id)
);
create index email_notice_due on email_notice (program_id, due_at);
create index email_notice_account on email_notice (program_id, account_id, label);
call protect_by_program('email_notice');
-- The programs with due lines, for the job that looks through all of them.
create function find_programs_with_notices() returns table (program_id bigint)
language sql stable security definer set search_path = public as $$
  select distinct n.program_id from email_notice n where n.due_at <= now()
$$;

create function describe_shift(of_program bigint, of_site bigint, starts timestamptz, ends timestamptz) returns text
language sql stable as $$
  select to_char(starts at time zone s.time_zone, 'MM/DD/YYYY HH24:MI') || '–'
    || to_char(ends at time zone s.time_zone, 'HH24:MI') || ', ' || s.name
  from site s where s.program_id = of_program and s.id = of_site
$$;

-- Every way of placing students ends in this table. Shifts that are over, and rows that the owner writes, are nobody's news.
create function note_shift_insert() returns trigger language plpgsql as $$
begin
  if current_program() is null then return null; end if;
  insert into email_notice (program_id, account_id, label, subject_key, after)
  select a.program_id, a.student_id, 'PLACEMENT', 'shift:' || a.id, describe_shift(a.program_id, a.site_id, a.starts_at, a.ends_at)
  from added a where a.removed_at is null and a.ends_at > now() and a.program_id = (select current_program());
  return null;
end $$;
create trigger note_added after insert on shift_assignment
  referencing new table as added for each statement execute function note_shift_insert();

create function note_shift_update() returns trigger language plpgsql as $$
begin
  if current_program() is null then return null; end if;
  insert into email_notice (program_id, account_id, label, subject_key, before, after)
  select d.program_id, d.account_id, 'PLACEMENT', 'shift:' || d.id, max(d.before), max(d.after)
  from (
    select b.program_id, b.id, b.student_id as account_id, b.ends_at,
      describe_shift(b.program_id, b.site_id, b.starts_at, b.ends_at) as before, null::text as after
    from was b where b.removed_at is null
    union all
    select a.program_id, a.id, a.student_id, a.ends_at, null,
      describe_shift(a.program_id, a.site_id, a.starts_at, a.ends_at)
    from became a where a.removed_at is null) d
  where d.program_id = (select current_program())
  group by d.program_id, d.id, d.account_id
  having max(d.before) is distinct from max(d.after) and max(d.ends_at) > now();
  return null;
end $$;
create trigger note_changed after update on shift_assignment
  referencing old table as was new table as became for each statement execute function note_shift_update();

-- Approving is news; undoing it within the same minutes is none. Old and new rows are grouped, not joined: the plan is kept from
-- a statement that changed one row, and a nested loop over ten thousand approved at once would never end.
create function note_time_update() returns trigger language plpgsql as $$
begin
  if current_program() is null then return null; end if;
  insert into email_notice (program_id, account_id, label, subject_key, before, after)
  select c.program_id, c.student_id, 'TIME_approved', 'record:' || c.id,
    case when c.was_approved then t.line end, case when c.is_approved then t.line end
  from (
    select r.program_id, r.id, max(r.student_id) as student_id,
      max(r.site_id) filter (where r.is_new) as site_id, max(r.date) filter (where r.is_new) as date,
      max(r.minutes) filter (where r.is_new) as minutes,
      bool_or(r.approved and not r.is_new) as was_approved, bool_or(r.approved and r.is_new) as is_approved
    from (
      select program_id, id, student_id, site_id, date, minutes, status = 'approved' as approved, false as is_new,
        true as counts from was
      union all
      select program_id, id, student_id, site_id, date, minutes, status = 'approved', true,
        kind <> 'in' and deleted_at is null from became) r
    where r.program_id = (select current_program())
    group by r.program_id, r.id
    having bool_and(r.counts)
      and bool_or(r.approved and not r.is_new) <> bool_or(r.approved and r.is_new)) c
  left join site s on s.program_id = c.program_id and s.id = c.site_id
  cross join lateral (select to_char(c.date, 'MM/DD/YYYY') || coalesce(', ' || s.name, '')
    || case when c.minutes > 0 then ': ' || (c.minutes / 60) || ' h ' || lpad((c.minutes % 60)::text, 2, '0') || ' min'
      else '' end as line) t;
  return null;
end $$;
create trigger note_decided after update on time_record
  referencing old table as was new table as became for each statement execute function note_time_update();

-- What was reminded of already, so that a job that runs twice writes once.
create table punch_reminder (
  program_id bigint not null,
  assignment_id bigint not null,
  sent_at timestamptz not null default now(),
  primary key (program_id, assignment_id),
  foreign key (program_id, assignment_id) references shift_assignment (program_id, id)
);
call protect_by_program('punch_reminder');

create table evaluation_reminder (
  program_id bigint not null,
  evaluation_id bigint not null,
  step text not null check (step in ('soon', 'today', 'late')),
  -- An evaluation that gets another due date is reminded of anew.
  end_date date not null,
  sent_at timestamptz not null default now(),
  primary key (program_id, evaluation_id, step, end_date),
  foreign key (program_id, evaluation_id) references evaluation (program_id, id)
);
call protect_by_program('evaluation_reminder');

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

-- Announcements go out by email once, when they first become active. Those from before this version were read on the home page.
alter table announcement add column told_at timestamptz;
update announcement set told_at = created_at;

-- Emails with files, and emails that a mail server sent back after it had taken them.
alter table mail add column attachment_ids bigint[] not null default '{}';
alter table mail add column bounced_at timestamptz;
create index mail_created_by on mail (created_by, created_at desc, id desc) where created_by is not null;

-- Security emails go to whoever they are for, whatever is on the list: without them somebody could not sign in, or would not
-- hear of a thief.
create function email_block_of(of_label text, of_program bigint, recipient text) returns text language sql stable as $$
  select case when of_label like 'ACCOUNT\_%' and of_label <> 'ACCOUNT_created' or of_label in ('REGISTRANT_confirm', 'REGISTRANT_known')
    then null else block_of(of_program, recipient) end
$$;

call add_mail_template('PLACEMENT_made',
  '<p><strong>Shifts added.</strong> Tells students which shifts were added to their schedule, one email for all changes within a few minutes.</p>',
  '{{change.summary}}',
  '<p>Hello {{student.firstName}},</p><p>these shifts were added to your schedule:</p><p>{{change.list}}</p><p><a href="{{link}}">See your schedule</a></p>');
call add_mail_template('PLACEMENT_changed',
  '<p><strong>Shifts changed.</strong> Tells students what changed in their schedule, one email for all changes within a few minutes.</p>',
  '{{change.summary}}',
  '<p>Hello {{student.firstName}},</p><p>your schedule has changed:</p><p>{{change.list}}</p><p><a href="{{link}}">See your schedule</a></p>');
call add_mail_template('PLACEMENT_removed',
  '<p><strong>Shifts removed.</strong> Tells students which shifts were removed from their schedule, one email for all changes within a few minutes.</p>',
  '{{change.summary}}',
  '<p>Hello {{student.firstName}},</p><p>these shifts were removed from your schedule:</p><p>{{change.list}}</p><p><a href="{{link}}">See your schedule</a></p>');
call add_mail_template('TIME_change_asked',
  '<p><strong>Time change requested.</strong> Tells coordinators that students asked for another time on a record.</p>',
  '{{change.summary}}',
  '<p>Hello {{coordinator.firstName}},</p><p>these time changes wait for a decision:</p><p>{{change.list}}</p><p><a href="{{link}}">Decide now</a></p>');
call add_mail_template('TIME_change_decided',
  '<p><strong>Time change decided.</strong> Tells a student whether a time change was accepted or declined.</p>',
  '{{change.summary}}',
  '<p>Hello {{student.firstName}},</p><p>{{change.list}}</p><p><a href="{{link}}">See your hours</a></p>');
call add_mail_template('TIME_approved',
  '<p><strong>Time approved.</strong> Tells students which of their time records were approved, one email for all approvals within a few minutes.</p>',
  '{{change.summary}}',
  '<p>Hello {{student.firstName}},</p><p>these time records were approved:</p><p>{{change.list}}</p><p><a href="{{link}}">See your hours</a></p>');
call add_mail_template('EVALUATION_late',
  '<p><strong>Evaluations overdue.</strong> Goes to the evaluator the day after the due date.</p>',
  'Overdue: {{evaluation.count}} evaluations',
  '<p>Hello {{evaluator.firstName}},</p><p>these evaluations are overdue:</p><p>{{evaluation.list}}</p><p><a href="{{link}}">Open the evaluations</a></p>');
call add_mail_template('EVALUATION_completed',
  '<p><strong>Evaluations completed.</strong> Tells coordinators which evaluations were submitted. Anonymous evaluations are never named.</p>',
  '{{change.summary}}',
  '<p>Hello {{coordinator.firstName}},</p><p>these evaluations were submitted:</p><p>{{change.list}}</p><p><a href="{{link}}">See evaluations</a></p>');
call add_mail_template('EVALUATION_low_score',
  '<p><strong>Low score.</strong> Tells coordinators that an evaluation has scores below the limit of its template. Never for anonymous evaluations.</p>',
  '{{change.summary}}',
  '<p>Hello {{coordinator.firstName}},</p><p>{{change.list}}</p><p><a href="{{link}}">See evaluations</a></p>');
call add_mail_template('DOCUMENT_added',
  '<p><strong>Documents added.</strong> Tells everyone who may read them which documents were added.</p>',
  '{{change.summary}}',
  '<p>Hello {{reader.firstName}},</p><p>these documents were added:</p><p>{{change.list}}</p><p><a href="{{link}}">See documents</a></p>');
call add_mail_template('REQUIREMENT_expiring',
  '<p><strong>Requirement expiring.</strong> Reminds a student 60, 30 and 7 days before a requirement expires.</p>',
  '{{change.summary}}',
  '<p>Hello {{student.firstName}},</p><p>these requirements expire soon:</p><p>{{change.list}}</p><p>Ask your {program} what to submit.</p>');
call add_mail_template('REQUIREMENT_expired',
  '<p><strong>Requirement expired.</strong> Tells a student that a requirement has expired.</p>',
  '{{change.summary}}',
  '<p>Hello {{student.firstName}},</p><p>these requirements have expired:</p><p>{{change.list}}</p><p>Ask your {program} what to submit. Some requirements keep you from being placed.</p>');
call add_mail_template('SHIFT_swap',
  '<p><strong>Shift swap.</strong> Tells a student what became of a shift that was offered to others.</p>',
  '{{change.summary}}',
  '<p>Hello {{student.firstName}},</p><p>{{change.list}}</p><p><a href="{{link}}">See your schedule</a></p>');
call add_mail_template('ANNOUNCEMENT_published',
  '<p><strong>Announcement.</strong> Brings a new announcement to everyone it is for.</p>',
  'Announcement: {{announcement.summary}}',
  '<p>Hello {{reader.firstName}},</p><p>{{announcement.text}}</p><p><a href="{{link}}">Open the home page</a></p>');
call add_mail_template('REPORT_weekly',
  '<p><strong>Weekly report.</strong> Brings the figures of the past week to the super admins who read them.</p>',
  'Weekly report: week of {{report.week}}',
  '<p>Hello {{reader.firstName}},</p><p>{{report.figures}}</p><p><a href="{{link}}">Open the weekly report</a></p>');

-- The worker belongs to no program and reads the files of the emails that it sends.
create function find_email_files(ids bigint[]) returns table (id bigint, name text, media_type text, store_key text)
language sql stable security definer set search_path = public as $$
  select f.id, f.name, f.media_type, f.store_key from stored_file f
  where f.id = any (ids) and (select current_setting('app.mailer', true)) = 'on'
$$;

-- Whether an email is to one of the demo's own people, whose emails may be looked at where no mail server takes them.
create function is_demo_account(wanted bigint) returns boolean
language sql stable security definer set search_path = public as $$
  select exists (select from account a where a.id = wanted and a.is_demo)
$$;

create function escape_html(plain text) returns text language sql immutable parallel safe as $$
  select replace(replace(replace(replace(replace(plain, '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), '"', '&quot;'), '''', '&#39;')
$$;
