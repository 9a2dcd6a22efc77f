-- Evaluation templates, their items and scores, and evaluations filled in (product 3.6).

create table form_type (
  program_id bigint not null references program,
  id bigint generated always as identity,
  name text not null check (name <> ''),
  view_on_form boolean not null default true,
  deleted_at timestamptz,
  primary key (program_id, id)
);
call protect_by_program('form_type');

create table evaluation_template (
  program_id bigint not null references program,
  id bigint generated always as identity,
  title text not null check (title <> ''),
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
  primary key (program_id, id),
  foreign key (program_id, form_type_id) references form_type
);
create index evaluation_template_title on evaluation_template (program_id, lower(title)) where deleted_at is null;
create trigger touch before update on evaluation_template for each row execute function touch();
call protect_by_program('evaluation_template');

create table evaluation_template_level (
  program_id bigint not null,
  template_id bigint not null,
  level_id smallint not null,
  primary key (program_id, template_id, level_id),
  foreign key (program_id, template_id) references evaluation_template on delete cascade,
  foreign key (program_id, level_id) references student_level
);
call protect_by_program('evaluation_template_level');

create table score_type (
  program_id bigint not null,
  id bigint generated always as identity,
  template_id bigint not null,
  title text not null check (title <> ''),
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
  label text not null check (label <> ''),
  value numeric(8, 2),
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
  name text not null check (name <> ''),
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
  name text not null check (name <> ''),
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
  foreign key (program_id, template_id) references evaluation_template,
  foreign key (program_id, category_id) references evaluation_category,
  foreign key (program_id, score_type_id) references score_type,
  foreign key (program_id, group_id) references item_group,
  check (kind = 'fib' or score_type_id is not null),
  check (kind = 'scored' or input_type is not null)
);
create index evaluation_item_template on evaluation_item (program_id, template_id, position) where deleted_at is null;
create index evaluation_item_category on evaluation_item (program_id, category_id);
call protect_by_program('evaluation_item');

-- A form as it was handed in, word for word: what a signed evaluation shows whatever becomes of its template. Evaluations
-- that were handed in between two changes of a template share one row. Nobody changes it.
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
revoke update, delete, truncate on evaluation_form from app;

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
  total_score numeric(10, 2),
  -- Set when it is handed in.
  form_id bigint,
  token_hash bytea unique,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  primary key (program_id, id),
  foreign key (program_id, template_id) references evaluation_template,
  foreign key (program_id, evaluator_id) references account (program_id, id),
  foreign key (program_id, subject_id) references account (program_id, id),
  foreign key (program_id, site_id) references site,
  foreign key (program_id, form_id) references evaluation_form,
  check (is_completed = (form_id is not null))
);
create index evaluation_status on evaluation (program_id, is_completed, end_date, id) where deleted_at is null;
create index evaluation_list on evaluation (program_id, date desc, id desc) where deleted_at is null;
create index evaluation_evaluator on evaluation (program_id, evaluator_id, is_completed, end_date) where deleted_at is null;
create index evaluation_subject on evaluation (program_id, subject_id, date desc) where deleted_at is null;
create index evaluation_template_of on evaluation (program_id, template_id, date desc) where deleted_at is null;
create trigger touch before update on evaluation for each row execute function touch();
call protect_by_program('evaluation');

create table evaluation_answer (
  program_id bigint not null,
  evaluation_id bigint not null,
  item_id bigint not null,
  score_value_id bigint,
  -- The score's value when the evaluation was handed in; null for N/A and before.
  score numeric(8, 2),
  text text,
  comment text,
  answered_at timestamptz not null default now(),
  primary key (program_id, evaluation_id, item_id),
  foreign key (program_id, evaluation_id) references evaluation on delete cascade,
  foreign key (program_id, item_id) references evaluation_item,
  foreign key (program_id, score_value_id) references score_value
);
call protect_by_program('evaluation_answer');

-- An anonymous link is opened before any program is known: it answers with its own evaluation and nothing else.
create function find_evaluation_by_token(hash bytea) returns table (program_id bigint, evaluation_id bigint)
  language sql stable security definer set search_path = public as $$
  select e.program_id, e.id from evaluation e join program p on p.id = e.program_id and p.deleted_at is null
  where e.token_hash = hash and e.deleted_at is null
$$;
