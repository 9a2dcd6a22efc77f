-- The database of 1.0, from schema.sql and functions.sql of each domain. What follows brings a database to it that has the migration below.
-- adopts 0380-deleted-by-moment

-- Hours added for someone while their import was being undone: their account is gone, so the hours no longer count.
update time_record r set deleted_at = now()
from account a
where a.deleted_at is not null and r.program_id = a.program_id and r.student_id = a.id and r.deleted_at is null;

-- The clock-out of a pair holds its hours; a clock-out without a clock-in has none.
update time_record r set minutes = 0, clock_minutes = null, meal_minutes = 0
where r.kind = 'out' and r.minutes > 0 and r.deleted_at is null and not exists (
  select from time_record q where q.program_id = r.program_id and q.id = r.partner_id and q.partner_id = r.id)
  and (r.partner_id is null or r.status = 'rejected');

-- Calendar addresses end for good with the access: those of accounts that are closed already would come back with it.
delete from calendar_feed f using account a
where a.id = f.account_id and (a.deactivated_at is not null or a.deleted_at is not null);

-- Changes are events.
create table domain_event (
  program_id bigint not null references program,
  id bigint generated always as identity,
  transaction xid8 not null default pg_current_xact_id(),
  kind text not null,
  record_id bigint not null,
  student_id bigint not null default 0,
  is_deleted boolean not null default false,
  before jsonb,
  after jsonb,
  actor_id bigint,
  is_quiet boolean not null,
  at timestamptz not null default now(),
  primary key (program_id, transaction, kind, record_id, student_id, id)
);
insert into domain_event (program_id, transaction, kind, record_id, student_id, is_deleted, is_quiet, at)
  select program_id, transaction, kind, record_id, student_id, is_deleted, true, at from change order by transaction;
create index domain_event_order on domain_event (transaction, id);
create index domain_event_age on domain_event using brin (at);
call protect_by_program('domain_event');
revoke insert, update, delete on domain_event from app;
create table event_cursor (
  subscriber text primary key,
  transaction xid8 not null
);
revoke update, delete on event_cursor from app;
drop trigger webhook_added on account;
drop trigger webhook_changed on account;
drop trigger feed_added on account;
drop trigger feed_changed on account;
drop trigger note_added on shift_assignment;
drop trigger note_changed on shift_assignment;
drop trigger webhook_added on shift_assignment;
drop trigger webhook_changed on shift_assignment;
drop trigger feed_added on shift_assignment;
drop trigger feed_changed on shift_assignment;
drop trigger feed_gone on shift_assignment;
drop trigger note_decided on time_record;
drop trigger webhook_added on time_record;
drop trigger webhook_changed on time_record;
drop trigger feed_added on time_record;
drop trigger feed_changed on time_record;
drop trigger feed_gone on time_record;
drop trigger webhook_verified on procedure_log;
drop trigger feed_added on procedure_log;
drop trigger feed_changed on procedure_log;
drop trigger webhook_passed on exam_attempt;
drop trigger feed_added on exam_attempt;
drop trigger feed_changed on exam_attempt;
drop trigger webhook_completed on evaluation;
drop trigger feed_added on evaluation;
drop trigger feed_changed on evaluation;
drop trigger feed_added on student_requirement;
drop trigger feed_changed on student_requirement;
drop trigger feed_gone on student_requirement;
drop trigger webhook_accepted on requirement_proof;
drop trigger webhook_accepted_at_once on requirement_proof;
drop trigger webhook_accepted on placement_acceptance;
drop trigger webhook_expiring on agreement_reminder;
drop trigger push on notification;
drop function webhook_of_assignment, webhook_of_time_record, webhook_of_person, webhook_of_state, note_time_records, note_assignments,
  note_people, note_evaluations, note_requirements, note_exams, note_logs, note_shift_insert, note_shift_update, note_time_update,
  push_of_notification, note_change, emit_webhook;
drop table change;

-- What is kept of days and rotations is told by events what has changed since.
create table event_seen (
  program_id bigint not null references program,
  reader text not null,
  seen pg_snapshot not null,
  seen_at timestamptz not null,
  primary key (program_id, reader)
);
call protect_by_program('event_seen');
drop trigger forget_attendance on account;
drop trigger mark_rotations on account;
drop trigger mark_attendance_new on shift_assignment;
drop trigger mark_attendance_changed on shift_assignment;
drop trigger mark_attendance_gone on shift_assignment;
drop trigger mark_rotations_new on shift_assignment;
drop trigger mark_rotations_changed on shift_assignment;
drop trigger mark_rotations_gone on shift_assignment;
drop trigger mark_attendance_new on time_record;
drop trigger mark_attendance_changed on time_record;
drop trigger mark_attendance_gone on time_record;
drop trigger mark_rotations_new on time_record;
drop trigger mark_rotations_changed on time_record;
drop trigger mark_rotations_gone on time_record;
drop function mark_attendance, forget_attendance, is_kept_day, mark_attendance_of_records, mark_records, mark_changed_records, mark_shifts,
  mark_changed_shifts, mark_rotations_of_account, mark_attendance_of_record;
drop table attendance_change, rotation_change, shift_kept_change;
delete from attendance_day;

-- Students and files are counted where they are.
drop trigger tally_new on account;
drop trigger tally_gone on account;
drop trigger tally_changed on account;
drop trigger tally_new on stored_file;
drop trigger tally_gone on stored_file;
drop trigger tally_changed on stored_file;
drop function tally_students, tally_files, fold_tallies;
drop table tally;
create index stored_file_bytes on stored_file (byte_count);

-- What is asked across programs is in `*.across.ts`.
do $$
declare
  gone regprocedure;
begin
  for gone in select p.oid from pg_proc p where p.pronamespace = 'public'::regnamespace and p.proname = any ('{
  add_failures, add_mail_template, add_spanish_mail, begins_with_hidden_menu, chosen_language, connected_people, count_clock_marks,
  count_failing_checks, count_failing_parts, count_failing_pushes, count_quiet_programs, count_waiting_in_copy,
  count_waiting_webhooks, describe_shift, emit_webhook_test, ended_clinical_records, escape_html, eula_counts, feature_use,
  find_account_by_user_name, find_accounts_by_email, find_attempt_by_code, find_blocks, find_calendar_feed, find_clinical_record,
  find_copied, find_email_files, find_evaluation_by_token, find_exam_proof, find_exam_signature, find_expired_inbox_link,
  find_merge_facts, find_muted, find_not_me, find_person, find_picture, find_saml_accounts, find_saml_providers,
  find_scim_connection, find_scim_named, find_scoped_link, find_shared_offer, find_supervision_link, find_told_account,
  free_user_name, freeze_readers, inbox_links, installation_counts, installation_failures, installation_jobs, installation_storage,
  is_frozen, is_user_name_taken, keep_sign_in_days, last_inbox_link, list_shared_sites, mail_languages, make_partitions,
  note_api_key_refused, note_calendar_read, note_device, note_system_check, offers_saml, open_lti_registration, payment_standings,
  placement_elsewhere, plans_to_solve_with, program_activity, program_hours, push_figures, push_hosts, push_kind_of,
  read_ip_access, roster_names, saml_users, set_muted, shared_with, sign_ins_by_day, staff_addresses, students_by_program,
  take_address_changes, taken_user_names, test_user_access, text_of_mail, unheard_seconds, use_reset_token, wants_webhook,
  weekly_figures, find_session}')
  loop
    execute 'drop routine ' || gone;
  end loop;
end $$;

-- They tell of nobody: the serving role writes, reads and clears them.
alter table sign_in_day disable row level security;
alter table failure_hour disable row level security;

-- Keys end for good with the access of the person whose rights they have; with a new secret one opens again. Sessions and links of accounts
-- that are closed already would come back with the access, too.
alter table api_key add column ended_at timestamptz;
update api_key k set ended_at = now() from account a
where a.id = k.account_id and k.revoked_at is null and (a.deactivated_at is not null or a.deleted_at is not null);
update session s set ended_at = now() from account a
where a.id = s.account_id and s.ended_at is null and (a.deactivated_at is not null or a.deleted_at is not null);
update one_time_token t set used_at = now() from account a
where a.id = t.account_id and t.used_at is null and t.kind <> 'not_me' and (a.deactivated_at is not null or a.deleted_at is not null);

-- Whose call caused an email, a line of a digest or a mailed link: what a frozen account has caused and still waits is held.
alter table mail add column caused_by bigint default current_account();
alter table email_notice add column caused_by bigint default current_account();
alter table email_notice add column is_held boolean not null default false;
alter table one_time_token add column caused_by bigint default current_account();

-- Records that were edited: few of many, found by who edited them and when.
create index time_record_edited on time_record (program_id, occurred_at desc, id desc) where history <> '[]' and deleted_at is null;

-- Whose an entry was before somebody took its day over, so that it can be given back; of an entry that named nobody only the moment is known.
alter table procedure_log add column taken_from bigint;
alter table procedure_log add column taken_at timestamptz;

-- Pending records are counted in their index.
drop function missing_pending(bigint);
drop table pending_sum;
alter type record_change drop attribute insight;

-- The time of a student in a rotation is kept once, in place.
drop trigger keep_hours_new on time_record;
drop trigger keep_hours_gone on time_record;
drop trigger keep_hours_changed on time_record;
drop function keep_hours();
drop function add_hours(time_record, integer);
drop function missing_student_time(bigint);
drop function missing_hours(bigint);
drop function missing_plans(bigint);
drop table student_time;
alter table student_hours add column records integer not null default 0;
alter table student_hours add column shifts integer not null default 0;
alter table student_hours add column planned_minutes integer not null default 0;
alter table student_hours add column past_shifts integer not null default 0;
alter table student_hours add column past_minutes integer not null default 0;
insert into student_hours as h (program_id, student_id, rotation_id, records)
  select program_id, student_id, rotation_id, sum(records) from time_sum where kind <> 'planned' group by 1, 2, 3
on conflict (program_id, student_id, rotation_id) do update set records = excluded.records;
insert into student_hours as h (program_id, student_id, rotation_id, shifts, planned_minutes, past_shifts, past_minutes)
  select program_id, student_id, rotation_id, sum(shifts), sum(minutes), sum(past_shifts), sum(past_minutes) from plan_sum group by 1, 2, 3
on conflict (program_id, student_id, rotation_id) do update set shifts = excluded.shifts, planned_minutes = excluded.planned_minutes,
  past_shifts = excluded.past_shifts, past_minutes = excluded.past_minutes;
drop table plan_sum;

-- What people have on record is never deleted, so nothing keeps sums of what is.
create or replace procedure never_delete(of_table text) language plpgsql as $$
begin
  execute format('revoke delete on %I from app', of_table);
end $$;
call never_delete('account');
call never_delete('shift_assignment');
call never_delete('time_record');
call never_delete('evaluation');
call never_delete('verification');
call never_delete('procedure_log');
call never_delete('lab_check');
call never_delete('exam_attempt');
call never_delete('competency_list');
call never_delete('major_study');
call never_delete('skill');
call never_delete('participation_level');
drop trigger forget_sums on evaluation;
drop trigger count_placed on shift_assignment;
drop trigger count_shared on shift_assignment;
create trigger count_placed after insert or update of site_shift_id, date, removed_at on shift_assignment
  for each row execute function count_placed();
create trigger count_shared after insert or update of site_id, date, removed_at on shift_assignment
  for each row execute function count_shared();

-- One function a table keeps its sums.
drop function keep_new_records, keep_gone_records, keep_changed_records, keep_new_shifts, keep_gone_shifts, keep_changed_shifts,
  keep_new_answers, keep_gone_answers, keep_changed_answers, keep_updated_verifications, keep_logged_procedures, keep_changed_procedures,
  keep_procedure_sites, forget_procedure_sites, move_procedure_sites, keep_reexamined_competencies, keep_rechecked_competencies,
  keep_changed_student_competencies cascade;
drop trigger keep_added on verification;
drop trigger keep_removed on verification;
drop trigger keep_added_standing on lab_check;
drop trigger keep_removed_standing on lab_check;
drop trigger keep_added_standing on exam_attempt;
drop trigger keep_removed_standing on exam_attempt;
create function keep_records() returns trigger language plpgsql as 'begin return null; end';
create function keep_shifts() returns trigger language plpgsql as 'begin return null; end';
create function keep_answers() returns trigger language plpgsql as 'begin return null; end';
create function keep_procedures() returns trigger language plpgsql as 'begin return null; end';
create trigger keep_sums_new after insert on time_record
  referencing new table as changed for each statement execute function keep_records();
create trigger keep_sums_changed after update on time_record
  referencing old table as was new table as changed for each statement execute function keep_records();
create trigger keep_sums_new after insert on shift_assignment
  referencing new table as changed for each statement execute function keep_shifts();
create trigger keep_sums_changed after update on shift_assignment
  referencing old table as was new table as changed for each statement execute function keep_shifts();
create trigger keep_sums_new after insert on evaluation_answer
  referencing new table as changed for each statement execute function keep_answers();
create trigger keep_sums_changed after update on evaluation_answer
  referencing old table as was new table as changed for each statement execute function keep_answers();
create trigger keep_sums_gone after delete on evaluation_answer
  referencing old table as was for each statement execute function keep_answers();
create trigger keep_added after insert on verification referencing new table as changed
  for each statement execute function keep_changed_verifications();
create trigger keep_changed after update on verification referencing old table as was new table as changed
  for each statement execute function keep_changed_verifications();
create trigger keep_added after insert on procedure_log referencing new table as changed
  for each statement execute function keep_procedures();
create trigger keep_changed after update on procedure_log referencing old table as was new table as changed
  for each statement execute function keep_procedures();
create trigger keep_added_standing after insert on lab_check referencing new table as changed
  for each statement execute function keep_examined_competencies();
create trigger keep_changed_standing after update on lab_check referencing old table as was new table as changed
  for each statement execute function keep_examined_competencies();
create trigger keep_added_standing after insert on exam_attempt referencing new table as changed
  for each statement execute function keep_examined_competencies();
create trigger keep_changed_standing after update on exam_attempt referencing old table as was new table as changed
  for each statement execute function keep_examined_competencies();
create trigger keep_changed_standing after update on account referencing old table as was new table as changed
  for each statement execute function keep_student_competencies();

-- Whoever changes what lists ask counts everybody's standing anew.
drop function keep_list_competencies, keep_updated_list_competencies, link_changed_procedures cascade;
drop procedure keep_competencies_of_changed(bigint[], bigint[]);
drop procedure link_lists_of_students(bigint, bigint[]);

-- Open pages are told of tasks, open shifts and records by one function.
drop function tell_background_task, tell_open_shifts, tell_time_record cascade;
create function tell() returns trigger language plpgsql as 'begin return null; end';
create trigger tell after insert or update of state, done, total on background_task for each row execute function tell('tasks');
create trigger tell after insert or update on open_shift for each row execute function tell('open-shifts');
create trigger tell after insert on time_record
  for each row when (new.idempotency_key is null) execute function tell('time-records');
drop function count_ip_change cascade;

-- What proves kept sums and counts them anew is said where they are kept.
drop function wrong_time_sums, recount_time_sums, wrong_rotations, missing_time, missing_weeks, wrong_evaluation_sums,
  recount_evaluation_sums, evaluation_groups, wrong_procedure_sums, recount_procedure_sums, wrong_competency_sums, recount_competency_sums,
  wrong_verification_sums, recount_verification_sums, keep_rotations, recount_rotations, rotation_passed,
  competency_code, count_procedure_sites, procedure_name_key, procedures_of_one_name, block_of,
  email_block_of, push_quiet_until, is_asked_on;

-- The halves of a pair are judged as one, and counted in the index of pending records.
drop index time_record_pending;
create index time_record_pending on time_record (program_id, insight, occurred_at desc, id desc)
  include (partner_id, is_matched, minutes, kind) where status = 'pending' and deleted_at is null;

-- Who is at risk is counted in an index, without those who are counted anew.
drop index student_progress_risk;
create index student_progress_risk on student_progress (program_id, student_id) where risks <> '{}';
-- Who is counted anew by whoever looks next.
create index student_progress_forgotten on student_progress (program_id, student_id) where counted_at = '-infinity';

-- Who was signed out is told why.
alter table session add column ended_for text check (ended_for in ('access', 'ended', 'password', 'authenticator', 'college'));

-- Time by month is kept in place, and counted anew. Weeks are read from kept days.
drop function fold_time_sums;
drop table week_sum;
drop index time_record_weeks;
create index time_record_weeks on time_record (program_id, date) include (minutes, status, kind, rotation_id)
  where deleted_at is null and is_matched and minutes > 0 and kind <> 'absence' and status <> 'rejected';
delete from time_sum;
drop index time_sum_student, time_sum_new;
alter table time_sum drop column is_folded, add primary key (program_id, student_id, rotation_id, site_id, month, kind);
insert into time_sum (program_id, student_id, rotation_id, site_id, month, kind, records, minutes, pending_minutes)
  select program_id, student_id, coalesce(rotation_id, 0), coalesce(site_id, 0), date_trunc('month', date)::date, kind, count(*), sum(minutes),
    coalesce(sum(minutes) filter (where status = 'pending'), 0)
  from time_record where kind <> 'in' and is_matched and status <> 'rejected' and deleted_at is null group by 1, 2, 3, 4, 5, 6
  union all
  select program_id, student_id, rotation_id, site_id, date_trunc('month', date)::date, 'planned', count(*),
    sum(shift_minutes(starts_at, ends_at) - meal_minutes), 0
  from shift_assignment where removed_at is null group by 1, 2, 3, 4, 5
  order by 1, 2, 3, 4, 5, 6;

-- Weeks begin on Sunday: sums of weeks are added up anew, in place.
drop function fold_procedure_sums;
drop table procedure_site_change;
delete from procedure_site_week;
insert into procedure_site_week (program_id, skill_id, site_id, week, count)
  select program_id, skill_id, site_id, date - extract(dow from date)::integer, sum(count)
  from procedure_log where deleted_at is null and state <> 'returned' and site_id is not null group by 1, 2, 3, 4;

-- Decisions on time records that are undone or replaced stay on record.
alter table time_record add column decisions jsonb not null default '[]';
create function keep_decision() returns trigger language plpgsql as 'begin return new; end';
create trigger keep_decision before update on time_record for each row
  when (old.decided_at is not null and new.decided_at is distinct from old.decided_at) execute function keep_decision();

-- What staff typed and nobody has decided yet says so.
update time_record set reasons = reasons || '[{"Code": "by_staff"}]', insight = greatest(insight, 2)
where source = 'staff' and status = 'pending' and deleted_at is null;

-- What hours come to, and the rotation in which they fall short: everybody is counted anew.
alter table student_progress add column hours_projection integer not null default 0;
alter table student_progress add column hours_short_in jsonb;
alter table student_progress add column hours_pending integer not null default 0;
update student_progress set counted_at = '-infinity';

-- Results of evaluations are kept in place, and counted anew.
drop trigger keep_sums on evaluation;
drop function fold_evaluation_sums, keep_evaluation, keep_answer_changes;
drop type answer_change;
create type answer_change as (program_id bigint, template_id bigint, is_anonymous boolean, subject_id bigint, site_id bigint, date date,
  item_id bigint, sign integer, score numeric, scale_share numeric, is_low boolean, number integer);
drop table evaluation_change, evaluation_three_change;
delete from evaluation_sum;
insert into evaluation_sum (program_id, date, template_id, site_id, answers, shares, low)
  select program_id, date, template_id, site_id, sum(answers), sum(shares), sum(low) from counted_answer group by 1, 2, 3, 4;
delete from evaluation_item_day;
insert into evaluation_item_day
  select program_id, date, item_id, sum(answers), sum(scores), sum(shares), sum(low), sum(fifth_1), sum(fifth_2), sum(fifth_3),
    sum(fifth_4), sum(fifth_5)
  from counted_answer group by 1, 2, 3;
delete from evaluation_item_month;
insert into evaluation_item_month
  select program_id, subject_id, site_id, month, item_id, sum(answers), sum(scores), sum(shares), sum(low), sum(fifth_1), sum(fifth_2),
    sum(fifth_3), sum(fifth_4), sum(fifth_5)
  from counted_answer group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5;
drop function count_threes(bigint, evaluation_group[]);
drop table evaluation_three;
create table evaluation_three (
  program_id bigint not null references program,
  template_id bigint not null,
  subject_id bigint not null,
  site_id bigint not null,
  item_id bigint not null,
  date date not null,
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
create function count_threes(program bigint, of_groups evaluation_group[], since integer default 0) returns setof evaluation_three
  language sql stable as $$
  with added as (
    select g.template_id, g.subject_id, g.site_id, a.item_id, e.date, e.anonymous_number as number, 1 as size, f.*
    from (select distinct * from unnest(of_groups)) g
    join evaluation_template t on t.program_id = program and t.id = g.template_id and t.is_anonymous
    join evaluation e on e.program_id = program and e.template_id = g.template_id and e.is_completed and e.deleted_at is null
      and e.anonymous_number > since
      and e.subject_id is not distinct from nullif(g.subject_id, 0) and e.site_id is not distinct from nullif(g.site_id, 0)
    join evaluation_answer a on a.program_id = program and a.evaluation_id = e.id and a.score is not null
    -- A score on a scale of one value is part of a three and counts for nothing.
    left join lateral answer_figures(1, a.score, a.scale_share, a.is_low) f on a.scale_share is not null
    union all
    select w.template_id, w.subject_id, w.site_id, w.item_id, w.date, 0, w.waiting, w.answers, w.scores, w.shares, w.low,
      w.fifth_1, w.fifth_2, w.fifth_3, w.fifth_4, w.fifth_5
    from unnest(of_groups) g
    join evaluation_three w on w.program_id = program and w.template_id = g.template_id and w.subject_id = g.subject_id
      and w.site_id = g.site_id and w.waiting > 0
    where since > 0),
  placed as (
    select *, (sum(size) over (partition by template_id, subject_id, site_id, item_id order by number) - 1) / 3 as three from added),
  threes as (
    select template_id, subject_id, site_id, item_id, max(date) as date, case when sum(size) = 3 then 0 else sum(size) end as waiting,
      coalesce(sum(answers), 0) as answers, coalesce(sum(scores), 0) as scores, coalesce(sum(shares), 0) as shares,
      coalesce(sum(low), 0) as low, coalesce(sum(fifth_1), 0) as fifth_1, coalesce(sum(fifth_2), 0) as fifth_2,
      coalesce(sum(fifth_3), 0) as fifth_3, coalesce(sum(fifth_4), 0) as fifth_4, coalesce(sum(fifth_5), 0) as fifth_5
    from placed group by template_id, subject_id, site_id, item_id, three)
  select program, template_id, subject_id, site_id, item_id, date, waiting::smallint, sum(answers)::integer, sum(scores)::bigint,
    sum(shares)::integer, sum(low)::integer, sum(fifth_1)::integer, sum(fifth_2)::integer, sum(fifth_3)::integer, sum(fifth_4)::integer,
    sum(fifth_5)::integer
  from threes group by 2, 3, 4, 5, 6, 7
$$;
insert into evaluation_three
  select t.*
  from (
    select e.program_id, array_agg(distinct row(e.template_id, coalesce(e.subject_id, 0), coalesce(e.site_id, 0))::evaluation_group) as groups
    from evaluation e join evaluation_template f on f.program_id = e.program_id and f.id = e.template_id and f.is_anonymous
    where e.is_completed and e.deleted_at is null group by 1) g
  cross join lateral count_threes(g.program_id, g.groups) t;
create trigger keep_sums after update on evaluation referencing old table as was new table as changed
  for each statement execute function keep_evaluation_sums();

-- The hours of a rotation are added up from those of its students.
drop table rotation_total, rotation_kept;
drop index rotation_student_rotation;
create index rotation_student_rotation on rotation_student (program_id, rotation_id) include (student_id, approved_minutes, projected_minutes);

-- A kept day has the shifts that were missed. None is kept yet.
drop table missed_shift;
alter table attendance_day add column missed_shifts bigint[] not null;

-- Contacts, departments and networks that a save removes can be brought back.
create table site_part_removed (
  program_id bigint not null,
  id bigint generated always as identity,
  site_id bigint not null,
  relation text not null check (relation in ('site_contact', 'site_department', 'site_network')),
  part jsonb not null,
  deleted_at timestamptz not null default now(),
  primary key (program_id, id),
  foreign key (program_id, site_id) references site on delete cascade
);
create index site_part_removed_site on site_part_removed (program_id, site_id);
call protect_by_program('site_part_removed');

-- The texts of emails are in the code. What nobody has changed, told by its hash, is no longer kept.
alter table mail_template alter column description drop not null, alter column description drop default,
  alter column subject drop not null, alter column html drop not null,
  alter column spanish_subject drop not null, alter column spanish_subject drop default,
  alter column spanish_html drop not null, alter column spanish_html drop default,
  alter column spanish_of drop not null, alter column spanish_of drop default;
update mail_template set description = null
where left(md5(concat_ws(E'\n', label, description)), 8) = any ('{
  006341ef,02201c29,0a8ab4c0,0bf0d0c6,0ebeb2b2,133b2f1b,15edb4d7,1bf62440,1c91f3b7,20d26426,22606e41,240b4734,267ae0d5,2d7e59b9,2e8f3c01,
  2ec35abb,32f7873e,3301ebbf,344dd907,39444581,39c48808,3ba367b2,3e63e234,40a59f97,42776e4b,42b9784f,454e531c,464292d9,46f86320,525d1d6a,
  574e903c,5916e9bf,600bb1a2,603287e9,60c0532c,6363eace,6a44698e,6f0b4c83,6f8dc9a8,73d105a1,798f3c81,7bb37f7e,7d23a3d9,7d8222dc,7dd8289a,
  8c997cec,95da06b5,95e0863a,971ff5f3,9df70b70,a0304b11,a3b5e61f,a539da65,a6446089,a83cba7f,a89effbf,b6e77135,b7a6b531,bde304bf,c35e75ca,
  c44dcc2e,c47ce46e,c6595f3a,c7182be3,c85fd438,cc0d79f7,cc9a91c0,cf9d0b34,d60b4625,d99b3261,dd0d7f3f,de79517d,df08085d,df5306be,e2938537,
  e323eb76,e743d873,e748cda4,e8b20ca5,ed5e11b3,f0fcda94,f24b5037,f6907455,f842e6b8,f87eebf1,fb0c2871,fbd58571}');
update mail_template set subject = null, html = null, spanish_subject = null, spanish_html = null, spanish_of = null
where left(md5(concat_ws(E'\n', label, subject, html, spanish_subject, spanish_html)), 8) = any ('{
  009108ef,04e9d5ce,0716c92d,09646cbd,097ab19c,0afcc26a,0cba7746,1693d679,1d76ab1b,1ea26497,1f547282,213e5ce0,23a0b804,251d8a48,28a47cbe,
  2d61447a,2ecd5f36,2fa55029,37c9504b,38c9239a,3a501a51,41689c78,425563ad,4711a538,47d7be2d,4c74d1bd,52146951,59cf4466,5accd95d,5bee1084,
  5cf06ec7,5d97bd69,637fb748,63b66efb,66b504f9,6725d979,6844d7b1,69c3a05b,6dcfdbc1,6ec08d1c,6ed35fe1,6ee34ca8,6ef9a39e,6fc863e2,700f385a,
  7260da52,734a1ae5,74294830,7d5ba183,7feff1d3,80a3a0c2,81ebe6ba,835f7b1b,8cbaaa6f,90ecaa48,9709db61,97597456,97ae3bf8,9d9b6a4e,9dad1216,
  a575392b,aae2f2ac,aeedae0d,b3994b99,bd2ccd4e,bf058dc6,c254db8e,d06e5b48,d5188c23,d5cf4a35,d7ad8bc9,dd80930b,e282f7b7,e2c66083,e65e4c81,
  ea303cd5,ef270599,f0e2d322,f0f2aee2,f2c4d5ab,f34da2a3,f4530839,f8cc0b34,fb1eb4ee,fb79452d,fdc59084,fe256365}');

-- Students who were only added are few, and asked for by each home page.
create index account_not_set_up on account (program_id)
  where access_level = 39 and deactivated_at is null and deleted_at is null and (coalesce(cohort, '') = '' or student_level_id is null);

-- The first super admin is made by a code.
create table first_code (
  is_only boolean default true primary key check (is_only),
  sealed text not null,
  made_at timestamptz not null default now()
);
revoke insert, update on first_code from app;

-- Checks of parts measure.
alter table system_check add column figures jsonb not null default '{}';
