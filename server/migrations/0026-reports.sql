-- Custom reports of a program, who gets them by mail, and the figures of a week.

create table custom_report (
  program_id bigint not null references program,
  id bigint generated always as identity,
  owner_id bigint not null references account,
  name text not null check (name <> ''),
  -- Subject, Columns, Filters, GroupBy and Sort by the names of contract/custom-reports-rules.ts; read and saved whole.
  definition jsonb not null,
  is_shared boolean not null default false,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  primary key (program_id, id)
);
create index custom_report_list on custom_report (program_id, lower(name), id) where deleted_at is null;
create trigger touch before update on custom_report for each row execute function touch();
call protect_by_program('custom_report');

-- Each reader orders the letters for herself.
create table custom_report_letter (
  program_id bigint not null,
  report_id bigint not null,
  account_id bigint not null references account,
  frequency text not null check (frequency in ('weekly', 'monthly')),
  -- The program's day on which the next letter goes.
  next_on date not null,
  primary key (program_id, report_id, account_id),
  foreign key (program_id, report_id) references custom_report
);
create index custom_report_letter_due on custom_report_letter (program_id, next_on);
call protect_by_program('custom_report_letter');

create index evaluation_submitted on evaluation (program_id, submitted_at) where deleted_at is null and is_completed;

-- The week from a Monday on, as each of the programs counts its days.
create function weekly_figures(programs bigint[], monday date) returns table (
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
      and v.deleted_at is null) l
  where p.id = any (programs)
$$;

insert into menu_item (id, parent_id, page_key, page_url, link_order, link_name, is_menu_item, link_level) values
  (2601, 8, 'reports', '/new/admin/custom-reports', 60, 'Custom Reports', true, 1),
  (2602, null, 'reports', '/new/admin/weekly-reports', 0, 'Weekly Reports', false, 0);
