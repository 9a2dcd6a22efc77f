-- Evaluations make themselves: the rule of a template, reminders of its own, evaluations for a cohort and on request, stopping
-- them, and several anonymous links.

alter table evaluation_template
  add is_automatic boolean not null default false,
  -- Nothing from before this day is made: switching it on does not flood the past.
  add automatic_from date,
  -- What the day is counted from, how many days after it (before it where negative), and how often.
  add make_on text not null default 'shift' check (make_on in ('shift', 'rotation_end', 'fixed')),
  add make_days smallint not null default 0 check (make_days between -365 and 365),
  add make_date date,
  add make_each text not null default 'shift' check (make_each in ('shift', 'rotation', 'site', 'student')),
  -- The last day of the program on which the job has made all that was due; null: not yet since the rule was changed.
  add made_through date,
  add remind_before smallint check (remind_before between 1 and 60),
  add remind_on_day boolean not null default true,
  add remind_every smallint not null default 7 check (remind_every between 1 and 60),
  add remind_most smallint not null default 3 check (remind_most between 0 and 20),
  add escalate_after smallint check (escalate_after between 1 and 365),
  add may_be_asked boolean not null default false,
  add check (not is_automatic or automatic_from is not null),
  add check (make_on <> 'fixed' or not is_automatic or make_date is not null);
-- As every template was reminded of before.
update evaluation_template set remind_before = 3, remind_most = 1;
alter table evaluation_template alter remind_before set default 3;
create index evaluation_template_automatic on evaluation_template (program_id)
  where is_automatic and is_active and deleted_at is null;

-- The faculty or coordinators of an automatic template: nobody is tied to them by a site.
create table evaluation_template_person (
  program_id bigint not null,
  template_id bigint not null,
  account_id bigint not null,
  primary key (program_id, template_id, account_id),
  foreign key (program_id, template_id) references evaluation_template on delete cascade,
  foreign key (program_id, account_id) references account (program_id, id)
);
call protect_by_program('evaluation_template_person');

alter table evaluation
  -- What it was made for, and once for: a shift, a rotation, a site in a rotation, a day, or one assigning of a cohort.
  add occasion text,
  add assignment_id bigint,
  add rotation_id bigint,
  -- The student whose schedule it follows; null where it is about no single student.
  add student_id bigint,
  -- Taken back because the shift was removed or the student withdrew; comes back with them. `deleted_at` is set too.
  add withdrawn_at timestamptz,
  -- Assigned to a cohort in one step, which may be undone.
  add batch_id uuid,
  -- The person it is about asked for it.
  add is_requested boolean not null default false,
  -- Closed without being submitted; what was started stays.
  add stopped_at timestamptz,
  add stopped_by bigint,
  add foreign key (program_id, assignment_id) references shift_assignment,
  add foreign key (program_id, rotation_id) references rotation,
  add foreign key (program_id, student_id) references account (program_id, id),
  add check (stopped_at is null or not is_completed),
  add check (withdrawn_at is null or deleted_at is not null);
create unique index evaluation_occasion on evaluation (program_id, template_id, occasion, evaluator_id, subject_id)
  nulls not distinct where occasion is not null;
create unique index evaluation_request on evaluation (program_id, template_id, evaluator_id, subject_id)
  where is_requested and not is_completed and stopped_at is null and deleted_at is null;
create index evaluation_batch on evaluation (program_id, batch_id) where batch_id is not null;
create index evaluation_assignment on evaluation (program_id, assignment_id) where assignment_id is not null;
create index evaluation_student on evaluation (program_id, student_id) where student_id is not null and not is_completed;

create function find_programs_with_automatic_evaluations() returns table (program_id bigint)
language sql stable security definer set search_path = public as $$
  select distinct t.program_id from evaluation_template t join program p on p.id = t.program_id and p.deleted_at is null
  where t.is_automatic and t.is_active and t.deleted_at is null
  -- What was made before a rule was switched off still follows the schedule.
  union select e.program_id from evaluation e where e.student_id is not null and not e.is_completed and e.deleted_at is null
$$;

-- Reminders: 'late' is the first one after the due date, 'late2' the second.
alter table evaluation_reminder drop constraint evaluation_reminder_step_check;
alter table evaluation_reminder add check (step ~ '^(new|soon|today|late[0-9]{0,2}|escalated)$');

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
insert into evaluation_link (program_id, evaluation_id, token_hash, created_at, created_by)
  select program_id, id, token_hash, created_at, created_by from evaluation where token_hash is not null;
drop function find_evaluation_by_token(bytea);
alter table evaluation drop token_hash;
create function find_evaluation_by_token(hash bytea) returns table (program_id bigint, evaluation_id bigint)
  language sql stable security definer set search_path = public as $$
  select l.program_id, l.evaluation_id from evaluation_link l
  join evaluation e on e.program_id = l.program_id and e.id = l.evaluation_id and e.deleted_at is null and not e.is_completed
  join program p on p.id = l.program_id and p.deleted_at is null
  where l.token_hash = hash and l.ended_at is null
$$;

-- What was stopped is not late.
create or replace function weekly_figures(programs bigint[], monday date) returns table (
  program_id bigint, active_people bigint, sign_ins bigint, recorded_minutes bigint, approved_minutes bigint,
  waiting bigint, evaluations_completed bigint, evaluations_late bigint
) language sql stable security definer set search_path = public as $$
  select p.id, a.people, a.sign_ins, t.recorded, t.approved, w.waiting, e.completed, l.late
  from program p
  cross join lateral (select monday::timestamp at time zone p.time_zone as begins,
    (monday + 7)::timestamp at time zone p.time_zone as ends, (now() at time zone p.time_zone)::date as today) week
  cross join lateral (select count(distinct account_id) as people,
      count(*) filter (where action = 'signed in') as sign_ins from audit
    where audit.program_id = p.id and at >= week.begins and at < week.ends and account_id is not null) a
  cross join lateral (select coalesce(sum(minutes), 0) as recorded,
      coalesce(sum(minutes) filter (where status = 'approved'), 0) as approved from time_record r
    where r.program_id = p.id and r.date between monday and monday + 6 and r.deleted_at is null and r.is_matched
      and r.minutes > 0 and r.kind <> 'absence' and r.status <> 'rejected') t
  cross join lateral (select count(*) as waiting from time_record r
    where r.program_id = p.id and r.occurred_at >= week.begins and r.occurred_at < week.ends and r.deleted_at is null
      and r.status = 'pending') w
  cross join lateral (select count(*) as completed from evaluation v
    where v.program_id = p.id and v.submitted_at >= week.begins and v.submitted_at < week.ends
      and v.deleted_at is null and v.is_completed) e
  cross join lateral (select count(*) as late from evaluation v
    where v.program_id = p.id and not v.is_completed and v.end_date between monday and least(monday + 6, week.today - 1)
      and v.deleted_at is null and v.stopped_at is null) l
  where p.id = any (programs)
$$;

-- A copied template keeps its rule, switched off: its people and days are another program's.
create or replace function copy_et1(source bigint, destination bigint, by_account bigint) returns bigint language plpgsql as $$
declare
  missing bigint[] := array(select from_id from copied_templates(source, destination) where to_id is null);
  made id_pair[];
begin
  insert into evaluation_template (program_id, title, form_type_id, evaluator_role, subject_role, instructions, is_anonymous,
      due_rule, due_days, due_date, is_active, is_shown_to_subject, make_on, make_days, make_date, make_each, remind_before,
      remind_on_day, remind_every, remind_most, escalate_after, may_be_asked, created_by, updated_by)
    select destination, t.title, f.to_id, t.evaluator_role, t.subject_role, t.instructions, t.is_anonymous, t.due_rule,
      t.due_days, t.due_date, t.is_active, t.is_shown_to_subject, t.make_on, t.make_days, t.make_date, t.make_each,
      t.remind_before, t.remind_on_day, t.remind_every, t.remind_most, t.escalate_after, t.may_be_asked, by_account, by_account
    from evaluation_template t
    left join copied_ids('form_type', 'lower(name)', source, destination) f on f.from_id = t.form_type_id
    where t.program_id = source and t.id = any (missing) order by t.id;
  made := array(select m from copied_templates(source, destination) m where m.from_id = any (missing));
  insert into evaluation_template_level (program_id, template_id, level_id)
    select destination, m.to_id, l.to_id from evaluation_template_level t join unnest(made) m on m.from_id = t.template_id
    join copied_levels(source, destination) l on l.from_id = t.level_id and l.to_id is not null
    where t.program_id = source on conflict do nothing;
  return cardinality(made);
end $$;

update mail_template set
  description = '<p><strong>Evaluation reminder.</strong> Reminds evaluators of evaluations that are new or due soon, one email a day.</p>',
  html = '<p>{Evaluations} to complete: {{evaluation.count}}. The first is due: {{evaluation.due}}.</p><p>{{evaluation.list}}</p><p><a href="{{link}}">Open them</a></p>'
  where label = 'EVALUATION_due' and html = '<p>{Evaluations} that wait for you: {{evaluation.count}}. The first one is due: {{evaluation.due}}.</p><p><a href="{{link}}">Open them</a></p>';
update mail_template set
  description = '<p><strong>Evaluations overdue.</strong> Goes to the evaluator when at least one evaluation is overdue, one email a day. New ones and those due soon are in it too.</p>',
  html = '<p>Hello {{evaluator.firstName}},</p><p>{{evaluation.count}} of your {evaluations} are overdue. Open {evaluations}:</p><p>{{evaluation.list}}</p><p><a href="{{link}}">Open the {evaluations}</a></p>',
  subject = 'Overdue {evaluations}: {{evaluation.count}}'
  where label = 'EVALUATION_late' and subject = 'Overdue: {{evaluation.count}} evaluations';
call add_mail_template('EVALUATION_overdue',
  '<p><strong>Evaluations long overdue.</strong> Tells coordinators which evaluators have been overdue, once the number of days that the template sets has passed. One email a day.</p>',
  '{{change.summary}}',
  '<p>Hello {{coordinator.firstName}},</p><p>these evaluators are overdue:</p><p>{{change.list}}</p><p><a href="{{link}}">See {evaluations}</a></p>');
call add_mail_template('EVALUATION_requested',
  '<p><strong>Evaluation requested.</strong> Tells an evaluator that someone asks for an evaluation.</p>',
  '{{requester.name}} asks for an {evaluation}',
  '<p>Hello {{evaluator.firstName}},</p><p>{{requester.name}} asks you for an {evaluation}: {{evaluation.title}}. It is due: {{evaluation.due}}.</p><p>{{request.note}}</p><p><a href="{{link}}">Open it</a></p>');
