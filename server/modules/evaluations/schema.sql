create table form_type (
  program_id bigint not null references program,
  id bigint generated always as identity,
  name text collate alphabetical not null check (name <> ''),
  view_on_form boolean not null default true,
  deleted_at timestamptz,
  primary key (program_id, id)
);
call protect_by_program('form_type');

create table evaluation_template (
  program_id bigint not null references program,
  id bigint generated always as identity,
  title text collate alphabetical not null check (title <> ''),
  form_type_id bigint,
  evaluator_role text not null check (evaluator_role in ('student', 'faculty', 'supervisor', 'coordinator', 'peer', 'self', 'anonymous')),
  subject_role text not null check (subject_role in ('student', 'faculty', 'supervisor', 'site', 'program', 'peer', 'self')),
  instructions text not null default '',
  is_anonymous boolean not null default false,
  due_rule text not null default 'none' check (due_rule in ('none', 'after_shift', 'rotation_end', 'fixed')),
  due_days integer not null default 7 check (due_days between 0 and 365),
  due_date date,
  is_active boolean not null default true,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  is_shown_to_subject boolean not null default true,
  is_automatic boolean not null default false,
  automatic_from date,
  make_on text not null default 'shift' check (make_on in ('shift', 'rotation_end', 'fixed')),
  make_days smallint not null default 0 check (make_days >= '-365'::integer and make_days <= 365),
  make_date date,
  make_each text not null default 'shift' check (make_each in ('shift', 'rotation', 'site', 'student')),
  made_through date,
  remind_before smallint default 3 check (remind_before between 1 and 60),
  remind_on_day boolean not null default true,
  remind_every smallint not null default 7 check (remind_every between 1 and 60),
  remind_most smallint not null default 3 check (remind_most between 0 and 20),
  escalate_after smallint check (escalate_after between 1 and 365),
  may_be_asked boolean not null default false,
  primary key (program_id, id),
  foreign key (program_id, form_type_id) references form_type,
  constraint anyone_is_anonymous check (evaluator_role <> 'anonymous' or is_anonymous),
  check (not is_automatic or automatic_from is not null),
  check (make_on <> 'fixed' or not is_automatic or make_date is not null)
);
create index evaluation_template_automatic on evaluation_template (program_id)
  where is_automatic and is_active and deleted_at is null;
create index evaluation_template_title on evaluation_template (program_id, lower(title)) where deleted_at is null;
create trigger touch before update on evaluation_template for each row execute function touch();
call protect_by_program('evaluation_template');

create table evaluation_template_level (
  program_id bigint not null,
  template_id bigint not null,
  level_id smallint not null,
  primary key (program_id, template_id, level_id),
  foreign key (program_id, level_id) references student_level,
  foreign key (program_id, template_id) references evaluation_template on delete cascade
);
create index evaluation_template_level_level on evaluation_template_level (program_id, level_id);
call protect_by_program('evaluation_template_level');

create table score_type (
  program_id bigint not null,
  id bigint generated always as identity,
  template_id bigint not null,
  title text collate alphabetical not null check (title <> ''),
  deleted_at timestamptz,
  -- Out of every list for good. The row stays: items that use it keep their scores.
  purged_at timestamptz,
  primary key (program_id, id),
  foreign key (program_id, template_id) references evaluation_template,
  check (purged_at is null or deleted_at is not null)
);
create index score_type_template on score_type (program_id, template_id);
call protect_by_program('score_type');

create table score_value (
  program_id bigint not null,
  id bigint generated always as identity,
  score_type_id bigint not null,
  label text collate alphabetical not null check (label <> ''),
  value numeric(8,2),
  position integer not null,
  is_not_applicable boolean not null default false,
  needs_comment boolean not null default false,
  deleted_at timestamptz,
  primary key (program_id, id),
  foreign key (program_id, score_type_id) references score_type on delete cascade
);
create index score_value_type on score_value (program_id, score_type_id, position);
call protect_by_program('score_value');

create table evaluation_category (
  program_id bigint not null,
  id bigint generated always as identity,
  template_id bigint not null,
  name text collate alphabetical not null check (name <> ''),
  position integer not null,
  -- Its items go and come back with it.
  deleted_at timestamptz,
  primary key (program_id, id),
  foreign key (program_id, template_id) references evaluation_template
);
create index evaluation_category_template on evaluation_category (program_id, template_id, position);
call protect_by_program('evaluation_category');

create table item_group (
  program_id bigint not null,
  id bigint generated always as identity,
  template_id bigint not null,
  name text collate alphabetical not null check (name <> ''),
  is_mandatory boolean not null default false,
  -- Its items stay and stand alone until it comes back.
  deleted_at timestamptz,
  primary key (program_id, id),
  foreign key (program_id, template_id) references evaluation_template
);
create index item_group_template on item_group (program_id, template_id);
call protect_by_program('item_group');

create table evaluation_item (
  program_id bigint not null,
  id bigint generated always as identity,
  template_id bigint not null,
  category_id bigint not null,
  kind text not null check (kind in ('scored', 'fib')),
  position integer not null,
  text text not null check (text <> ''),
  score_type_id bigint,
  group_id bigint,
  input_type text check (input_type in ('short', 'long', 'number', 'date', 'yesno', 'choice')),
  choices text[] not null default '{}',
  is_mandatory boolean not null default false,
  deleted_at timestamptz,
  primary key (program_id, id),
  foreign key (program_id, group_id) references item_group,
  foreign key (program_id, category_id) references evaluation_category,
  foreign key (program_id, template_id) references evaluation_template,
  foreign key (program_id, score_type_id) references score_type,
  check (kind = 'fib' or score_type_id is not null),
  check (kind = 'scored' or input_type is not null)
);
create index evaluation_item_template on evaluation_item (program_id, template_id, position) where deleted_at is null;
create index evaluation_item_category on evaluation_item (program_id, category_id);
call protect_by_program('evaluation_item');

-- A form exactly as it was submitted: what a signed evaluation shows even after its template changes. Evaluations submitted
-- between two changes of a template share one row, which never changes.
create table evaluation_form (
  program_id bigint not null,
  id bigint generated always as identity,
  template_id bigint not null,
  hash bytea not null,
  content jsonb not null,
  made_at timestamptz not null default now(),
  primary key (program_id, id),
  unique (program_id, template_id, hash),
  foreign key (program_id, template_id) references evaluation_template
);
call protect_by_program('evaluation_form');
revoke update, delete on evaluation_form from app;

create table evaluation (
  program_id bigint not null references program,
  id bigint generated always as identity,
  template_id bigint not null,
  -- Null for an anonymous form: answers of an anonymous form cannot be tied to a person.
  evaluator_id bigint,
  subject_id bigint,
  site_id bigint,
  date date not null,
  end_date date,
  is_completed boolean not null default false,
  submitted_at timestamptz,
  signed_name text not null default '',
  total_score numeric(10,2),
  -- Set when it is submitted.
  form_id bigint,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  anonymous_number integer,
  occasion text,
  assignment_id bigint,
  rotation_id bigint,
  student_id bigint,
  withdrawn_at timestamptz,
  batch_id uuid,
  is_requested boolean not null default false,
  stopped_at timestamptz,
  stopped_by bigint,
  primary key (program_id, id),
  foreign key (program_id, form_id) references evaluation_form,
  foreign key (program_id, site_id) references site,
  foreign key (program_id, student_id) references account (program_id, id),
  foreign key (program_id, subject_id) references account (program_id, id),
  foreign key (program_id, rotation_id) references rotation,
  foreign key (program_id, template_id) references evaluation_template,
  foreign key (program_id, evaluator_id) references account (program_id, id),
  foreign key (program_id, assignment_id) references shift_assignment,
  check (is_completed = (form_id is not null)),
  check (stopped_at is null or not is_completed),
  check (withdrawn_at is null or deleted_at is not null)
);
create index evaluation_list on evaluation (program_id, date desc, id desc) where deleted_at is null;
create index evaluation_evaluator on evaluation (program_id, evaluator_id, is_completed, end_date) where deleted_at is null;
create index evaluation_subject on evaluation (program_id, subject_id, date desc) where deleted_at is null;
create index evaluation_template_of on evaluation (program_id, template_id, date desc) where deleted_at is null;
create unique index evaluation_anonymous on evaluation (program_id, template_id, anonymous_number)
  where anonymous_number is not null;
create index evaluation_submitted on evaluation (program_id, submitted_at) where deleted_at is null and is_completed;
create unique index evaluation_occasion on evaluation (program_id, template_id, occasion, evaluator_id, subject_id)
  nulls not distinct where occasion is not null;
create unique index evaluation_request on evaluation (program_id, template_id, evaluator_id, subject_id)
  where is_requested and not is_completed and stopped_at is null and deleted_at is null;
create index evaluation_batch on evaluation (program_id, batch_id) where batch_id is not null;
create index evaluation_assignment on evaluation (program_id, assignment_id) where assignment_id is not null;
create index evaluation_student on evaluation (program_id, student_id) where student_id is not null and not is_completed;
-- Orders and filters of the list of evaluations, so that a page is read from an index and nothing is sorted.
create index evaluation_due on evaluation (program_id, end_date, id) where deleted_at is null;
create index evaluation_due_last on evaluation (program_id, end_date desc nulls last, id desc) where deleted_at is null;
create index evaluation_completed on evaluation (program_id, is_completed, id) where deleted_at is null;
create index evaluation_site on evaluation (program_id, site_id, date desc) where deleted_at is null;
create index evaluation_status on evaluation (program_id, is_completed, end_date, id) include (stopped_at) where deleted_at is null;
create index evaluation_deleted on evaluation (program_id, deleted_at) where deleted_at is not null;
create trigger touch before update on evaluation for each row execute function touch_evaluation();
create trigger keep_sums after update on evaluation referencing old table as was new table as changed
  for each statement execute function keep_evaluation_sums();
call protect_by_program('evaluation');
call never_delete('evaluation');

create table evaluation_answer (
  program_id bigint not null,
  evaluation_id bigint not null,
  item_id bigint not null,
  score_value_id bigint,
  -- The score's value when the evaluation was submitted; null for N/A and until then.
  score numeric(8,2),
  text text,
  comment text,
  answered_at timestamptz not null default now(),
  scale_share numeric(5,4) check (scale_share between 0 and 1),
  is_low boolean not null default false,
  primary key (program_id, evaluation_id, item_id),
  foreign key (program_id, item_id) references evaluation_item,
  foreign key (program_id, evaluation_id) references evaluation on delete cascade,
  foreign key (program_id, score_value_id) references score_value
);
create trigger keep_sums_new after insert on evaluation_answer
  referencing new table as changed for each statement execute function keep_answers();
create trigger keep_sums_changed after update on evaluation_answer
  referencing old table as was new table as changed for each statement execute function keep_answers();
create trigger keep_sums_gone after delete on evaluation_answer
  referencing old table as was for each statement execute function keep_answers();
call protect_by_program('evaluation_answer');

create table evaluation_reminder (
  program_id bigint not null,
  evaluation_id bigint not null,
  step text not null check (step ~ '^(new|soon|today|late[0-9]{0,2}|escalated)$'),
  -- An evaluation that gets another due date is reminded of anew.
  end_date date not null,
  sent_at timestamptz not null default now(),
  primary key (program_id, evaluation_id, step, end_date),
  foreign key (program_id, evaluation_id) references evaluation
);
call protect_by_program('evaluation_reminder');

-- The faculty or coordinators of an automatic template: nobody is tied to them by a site.
create table evaluation_template_person (
  program_id bigint not null,
  template_id bigint not null,
  account_id bigint not null,
  primary key (program_id, template_id, account_id),
  foreign key (program_id, account_id) references account (program_id, id),
  foreign key (program_id, template_id) references evaluation_template on delete cascade
);
call protect_by_program('evaluation_template_person');

-- One email with reminders a person and day.
create table evaluation_digest (
  program_id bigint not null,
  account_id bigint not null,
  day date not null,
  primary key (program_id, account_id, day),
  foreign key (program_id, account_id) references account (program_id, id)
);
call protect_by_program('evaluation_digest');

-- Several anonymous links of one evaluation may live; each can be shown again and ended.
create table evaluation_link (
  program_id bigint not null,
  id bigint generated always as identity,
  evaluation_id bigint not null,
  token_hash bytea not null unique,
  -- The token, sealed; null for links from before they could be shown again.
  sealed_token text,
  created_at timestamptz not null default now(),
  created_by bigint,
  ended_at timestamptz,
  primary key (program_id, id),
  foreign key (program_id, evaluation_id) references evaluation on delete cascade
);
create index evaluation_link_evaluation on evaluation_link (program_id, evaluation_id);
call protect_by_program('evaluation_link');

-- What the answers of named forms come to, kept in place by the transaction that changes them; one of a program after the other.
-- A row whose answers have all gone stays with zeros.
create table evaluation_sum (
  program_id bigint not null references program,
  date date not null,
  template_id bigint not null,
  -- 0 without a site.
  site_id bigint not null,
  answers integer not null,
  shares bigint not null,
  low integer not null,
  primary key (program_id, date, template_id, site_id)
);
call protect_by_program('evaluation_sum');

-- Answers of anonymous forms show in whole threes of an item, dated by the last of the three, so that they cannot be kept
-- apart by day: what one template came to about one subject at one site is kept as a whole.
create table evaluation_three (
  program_id bigint not null references program,
  template_id bigint not null,
  -- 0 without a subject or site.
  subject_id bigint not null,
  site_id bigint not null,
  item_id bigint not null,
  date date not null,
  -- How many answers of the row wait until there are three; 0 of whole threes.
  waiting smallint not null check (waiting between 0 and 2),
  answers integer not null,
  scores bigint not null,
  shares integer not null,
  low integer not null,
  fifth_1 integer not null,
  fifth_2 integer not null,
  fifth_3 integer not null,
  fifth_4 integer not null,
  fifth_5 integer not null,
  primary key (program_id, template_id, subject_id, site_id, item_id, date, waiting)
);
create index evaluation_three_day on evaluation_three (program_id, date);
create index evaluation_three_subject on evaluation_three (program_id, subject_id);
call protect_by_program('evaluation_three');

create type evaluation_group as (template_id bigint, subject_id bigint, site_id bigint);

-- Named forms of the whole program.
create table evaluation_item_day (
  program_id bigint not null references program,
  date date not null,
  item_id bigint not null,
  answers integer not null,
  scores bigint not null,
  shares integer not null,
  low integer not null,
  fifth_1 integer not null,
  fifth_2 integer not null,
  fifth_3 integer not null,
  fifth_4 integer not null,
  fifth_5 integer not null,
  primary key (program_id, date, item_id)
);
call protect_by_program('evaluation_item_day');

-- Named forms about somebody at some site. Periods that cut a month count the days of that month from the answers.
create table evaluation_item_month (
  program_id bigint not null references program,
  subject_id bigint not null,
  site_id bigint not null,
  -- Its first day.
  month date not null,
  item_id bigint not null,
  answers integer not null,
  scores bigint not null,
  shares integer not null,
  low integer not null,
  fifth_1 integer not null,
  fifth_2 integer not null,
  fifth_3 integer not null,
  fifth_4 integer not null,
  fifth_5 integer not null,
  primary key (program_id, subject_id, site_id, month, item_id)
);
create index evaluation_item_month_site on evaluation_item_month (program_id, site_id);
call protect_by_program('evaluation_item_month');

-- Every counted answer of a named form with its figures, as whoever asks.
create view counted_answer with (security_invoker) as
  select e.program_id, e.date, date_trunc('month', e.date)::date as month, e.template_id, coalesce(e.subject_id, 0) as subject_id,
    coalesce(e.site_id, 0) as site_id, a.item_id, f.*
  from evaluation e
  join evaluation_template t on t.program_id = e.program_id and t.id = e.template_id and not t.is_anonymous
  join evaluation_answer a on a.program_id = e.program_id and a.evaluation_id = e.id and a.score is not null
    and a.scale_share is not null
  cross join lateral answer_figures(1, a.score, a.scale_share, a.is_low) f
  where e.is_completed and e.deleted_at is null;

-- An answer of a submitted evaluation that has come, or with -1 gone. The number is that of an anonymous one that comes or goes as a whole.
create type answer_change as (program_id bigint, template_id bigint, is_anonymous boolean, subject_id bigint, site_id bigint, date date,
  item_id bigint, sign integer, score numeric, scale_share numeric, is_low boolean, number integer);
