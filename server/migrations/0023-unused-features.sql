-- Which features a program never used, and which guides were mailed to its staff (specification 3 §2).

-- The last mail about a feature; `times` counts all of them.
create table feature_letter (
  program_id bigint not null references program,
  feature text not null check (feature <> '' and length(feature) <= 50),
  times integer not null default 1,
  recipients integer not null,
  sent_at timestamptz not null default now(),
  sent_by bigint references account (id),
  primary key (program_id, feature)
);
call protect_by_program('feature_letter');

-- What the programs of this installation used so far, asked past the border of one program, for super admins only: a row
-- for each program and feature. Every answer is one look-up in an index that begins with the program.
create function feature_use(of_programs bigint[]) returns table (
  program_id bigint, feature text, is_used boolean, times integer, recipients integer, sent_at timestamptz, sent_by text
) language sql stable security definer set search_path = public as $$
  select p.id, f.feature, f.is_used, l.times, l.recipients, l.sent_at, s.user_name
  from program p
  cross join lateral (values
    ('sites', exists (select from site x where x.program_id = p.id and x.deleted_at is null)),
    ('scheduling', exists (select from shift_assignment x where x.program_id = p.id)),
    ('clock', exists (select from time_record x where x.program_id = p.id)),
    ('evaluations', exists (select from evaluation x where x.program_id = p.id)),
    ('supervisors', exists (select from supervisor_site x where x.program_id = p.id)),
    ('imports', exists (select from import_run x where x.program_id = p.id)),
    ('data-sync', exists (select from sync_key x where x.program_id = p.id)),
    ('agreements', exists (select from affiliate_agreement x where x.program_id = p.id)),
    ('documents', exists (select from document x where x.program_id = p.id)),
    ('verifications', exists (select from verification x where x.program_id = p.id)),
    ('announcements', exists (select from announcement x where x.program_id = p.id)),
    ('calendar', exists (select from calendar_feed x where x.program_id = p.id)),
    ('notification-copies', exists (select from notification_copy x where x.program_id = p.id)),
    ('employment', exists (select from employment x where x.program_id = p.id))
  ) as f (feature, is_used)
  left join feature_letter l on l.program_id = p.id and l.feature = f.feature
  left join account s on s.id = l.sent_by
  where p.deleted_at is null and (of_programs is null or p.id = any (of_programs))
    and (select current_setting('app.super', true)) = 'on'
$$;

insert into menu_item (id, parent_id, page_key, page_url, link_order, link_name, is_menu_item, link_level) values
  (951, 2, 'colleges', '/new/admin/unused-feature-notifications', 90, 'Unused Feature Notifications', true, 1);
